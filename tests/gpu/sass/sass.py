"""Counts the instructions of layouts on GPUs: `.ci/gpu sass` makes the files and runs this.

    sass.py generate LAYOUT         the layouts of src/lib.rs as the command writes them for CUDA, with kernels
    sass.py count TOOLS FOLDER      tables in Markdown, from the PTX and the assembly in a folder

For each layout: the offset of an index, the index at an offset, and a kernel that copies a row-major array into the
layout. PTX of all compilers goes through the same ptxas. What is counted is SASS up to the last exit, and registers; for
AMD, lines of assembly.
"""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
GPUS = ["sm_80", "sm_90", "sm_100"]
KINDS = ["offset", "index", "copy"]
ELEMENTS = {"u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned"}
# What the library is compared with, and what that is called.
PEERS = {"by_hand": "by hand", "cute": "CuTe", "clang": "by hand in clang", "text": "as text"}


def run(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def cases():
    """Name, names of sizes, rank, element and shape of each layout."""
    source = (HERE / "src/lib.rs").read_text()
    case = r"^case! \{ (\w+)(?:\(([\w, ]+)\))?, (\d), (\w+): (.+) \}$"
    return [
        (name, sizes.split(", ") if sizes else [], int(rank), element, shape)
        for name, sizes, rank, element, shape in re.findall(case, source, re.M)
    ]


def generate(layout):
    print('#include "case.cuh"')
    for name, sizes, rank, element, shape in cases():
        print(run(layout, "code", "--language", "cuda", "--name", f"text_{name}", shape))
        dims = re.search(r"\[(.*?)\]", shape)[1]
        base = f"Sizes{rank}" if sizes else f"Dims<{dims}>"
        sizes = [size for size, dim in zip(sizes, dims.split(",")) if dim == "?"]
        arguments = ", ".join(["i", "j", "k", "l"][:rank] + sizes)
        static, const = ("", " const") if sizes else ("static ", "")
        found = "".join(f"{variable} = found.i{dim}; " for dim, variable in enumerate("ijkl"[:rank]))
        print(f"""struct {name} : {base} {{
    using Element = {ELEMENTS[element]};
    {static}DEVICE unsigned offset(unsigned i, unsigned j, unsigned k, unsigned l){const} {{
        return text_{name}_offset({arguments});
    }}
    {static}DEVICE bool index(unsigned o, unsigned &i, unsigned &j, unsigned &k, unsigned &l){const} {{
        text_{name}_Index found = text_{name}_index({", ".join(["o"] + sizes)});
        {found}
        return found.is_element;
    }}
}};
KERNELS({name})
""")


def sass(tools, ptx):
    """Instructions and registers of each kernel."""
    cubin = ptx.with_suffix(".cubin")
    said = run(tools / "ptxas", "-v", f"-arch={ptx.stem.split('-')[1]}", ptx, "-o", cubin)
    registers = dict(re.findall(r"entry function '(\w+)'(?:.*\n)*?.*Used (\d+) registers", said))
    counts, name = {}, None
    for line in run(tools / "nvdisasm", "-c", cubin).splitlines():
        if start := re.match(r"\s*\.section\s+\.text\.(\w+)", line):
            name = start[1]
            counts[name] = 0
        elif instruction := re.match(r"\s*/\*[0-9a-f]{4}\*/\s+(?:@!?U?P\w+ +)?(\w+)", line):
            counts[name] += instruction[1] != "NOP"
    # After the last exit there is a branch to itself.
    return {name: (count - 1, int(registers[name])) for name, count in counts.items()}


def assembly(file):
    """Lines and vector registers of each kernel for AMD."""
    counts, name = {}, None
    for line in file.read_text().splitlines():
        if start := re.match(r"(\w+):", line):
            name = start[1]
            counts[name] = [0, 0]
        elif registers := re.match(r"\s*\.amdhsa_next_free_vgpr (\d+)", line):
            counts[name][1] = int(registers[1])
        elif re.match(r"\t[a-z]\w+_\w", line) and not re.match(r"\ts_(nop|code_end)", line):
            counts[name][0] += 1
    return {name: (count, registers) for name, (count, registers) in counts.items() if count}


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def compare(library, peer, width=0):
    """How many counts are below, equal and above the peer's, of those that both have."""
    both = [(library[name][width], peer[name][width]) for name in library if name in peer]
    signs = [(ours > theirs) - (ours < theirs) for ours, theirs in both]
    return " / ".join(str(signs.count(sign)) for sign in (-1, 0, 1))


def details(counts, peers, names):
    """Each layout with its counts: the library's, then the peers'."""
    print("Each cell: " + " / ".join(["library", *peers.values()]) + "\n")
    header = ["layout", *KINDS]
    rows = []
    for name, _, _, _, shape in cases():
        row = [f"`{shape}`"]
        for kind in KINDS:
            numbers = [counts[column].get(f"{name}_{kind}", ("–",))[0] for column in ["library", *peers]]
            row.append(" / ".join(map(str, numbers)))
        rows.append(row)
    table(header, rows)


def count(tools, folder):
    peers = {name: title for name, title in PEERS.items() if (folder / f"{name}-sm_80.ptx").exists()}
    unknown = {f"{name}_index" for name, sizes, *_ in cases() if sizes}
    summary = []
    wheels = re.findall(r"^[\w-]+==\S+", (HERE / "requirements.txt").read_text(), re.M)
    print(f"{(folder / 'versions').read_text().strip()}; {', '.join(wheels)}\n")
    for gpu in GPUS:
        counts = {name: sass(tools, folder / f"{name}-{gpu}.ptx") for name in ["library", *peers]}
        # CuTe inverts static layouts only, and has none with a combined dimension.
        counts["cute"] = {name: pair for name, pair in counts["cute"].items() if name not in unknown}
        print(f"### {gpu}\n")
        details(counts, peers, cases())
        wide = {name.removesuffix("_wide"): pair for name, pair in counts["library"].items() if name.endswith("_wide")}
        library = {name: pair for name, pair in counts["library"].items() if not name.endswith("_wide")}
        for kind in KINDS:
            of_kind = {name: pair for name, pair in library.items() if name.endswith(kind)}
            others = [counts[name] for name in peers] + [wide]
            summary.append([gpu, kind, *(compare(of_kind, other) for other in others)])
        summary.append([gpu, "registers", *(compare(library, counts[name], 1) for name in peers), compare(library, wide, 1)])
    print("### Layouts with fewer / as many / more instructions than\n")
    table(["GPU", "", *peers.values(), "`usize`"], summary)

    if (folder / "library-gfx90a.s").exists():
        library = assembly(folder / "library-gfx90a.s")
        wide = {name.removesuffix("_wide"): pair for name, pair in library.items() if name.endswith("_wide")}
        counts, titles = {"library": library, "wide": wide}, {"wide": "`usize`"}
        if (folder / "clang-gfx90a.s").exists():
            counts["clang"], titles["clang"] = assembly(folder / "clang-gfx90a.s"), "by hand in clang"
        print("### gfx90a\n")
        details(counts, titles, cases())
        rows = [
            [kind, *(compare({n: p for n, p in library.items() if n.endswith(kind)}, counts[name]) for name in titles)]
            for kind in KINDS
        ]
        table(["gfx90a", *titles.values()], rows)


if sys.argv[1:2] == ["generate"] and len(sys.argv) == 3:
    generate(sys.argv[2])
elif sys.argv[1:2] == ["count"] and len(sys.argv) == 4:
    count(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
else:
    sys.exit(__doc__)
