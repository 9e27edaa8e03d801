"""XLA's own parser judges the reader of programs: which HLO texts each of them reads, and what we say of the forms that XLA prints.

    python tests/tpu/parser.py FOLDER [LAYOUT]

FOLDER has texts (`*.hlo`, `*.txt`, in folders below it too), LAYOUT is the command; `target/release/layout` if it is left out.
Needs `jaxlib`; 0.12 and later know `%t#1`. Each text that XLA reads is printed by XLA in several forms, with a schedule if it
had none: all forms of a program have to give the same memory. Exits with 1 if they do not.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

try:
    from jaxlib import _hlo
except ImportError:
    print("SKIPPED: jaxlib is not installed")
    sys.exit(0)

GET = re.compile(r"  (%[\w.-]+) = .* get-tuple-element\((?:.* )?(%[\w.-]+)\), index=(\d+)")
UNSCHEDULED = "the module is not scheduled"


def compact(text):
    """`%t#1` for the uses of get-tuple-elements, as dumps have it since July 2026; no printing option of jaxlib asks for it."""
    lines, names = [], {}
    for line in text.split("\n"):
        if get := GET.match(line):
            names[get[1]] = f"{names.get(get[2], get[2])}#{get[3]}"
        elif line.startswith("  "):
            lines.append(re.sub(r"%[\w.-]+", lambda name: names.get(name[0], name[0]), line))
        else:
            names = names if line else {}  # a computation ends with an empty line
            lines.append(line)
    return "\n".join(lines)


def as_scheduled(text):
    return re.sub(r"^(\s*HloModule\s+[^\s,]+)", r"\1, is_scheduled=true", text, count=1, flags=re.M)


def forms(module, scheduled):
    """The texts that XLA prints of the program."""
    printed = module.to_string()
    if not scheduled:  # operands stand before their uses
        module = _hlo.hlo_module_from_text(as_scheduled(printed))
    short = _hlo.HloPrintOptions.short_parsable()
    short.print_large_constants = False
    texts = {"default": module.to_string(), "short": module.to_string(short)}
    texts["compact"] = compact(texts["default"])
    texts["canonical"] = module.to_string(_hlo.HloPrintOptions.canonical())
    return texts


def worker():
    """Of each text, a line of JSON: an error, or whether the text is scheduled; then its forms, as far as XLA prints them."""
    for line in sys.stdin:
        signal.alarm(30)
        try:
            module = _hlo.hlo_module_from_text(json.loads(line))
        except RuntimeError as error:
            reason = (str(error).split("\n") + [""])[1]
            print(json.dumps(re.sub(r"was parsing [\d:]+ (error: )?", "", reason)), "{}", sep="\n", flush=True)
            signal.alarm(0)
            continue
        scheduled = ", is_scheduled=true" in module.to_string().split("\n")[0]
        print(json.dumps(scheduled), flush=True)
        try:
            print(json.dumps(forms(module, scheduled)), flush=True)
        except RuntimeError:
            print("{}", flush=True)
        signal.alarm(0)


def by_xla(texts):
    """(answer, forms) of each text; the answer is `None` where XLA ended the worker, another one goes on then."""
    process = None
    for text in texts:
        process = process or subprocess.Popen(
            [sys.executable, __file__, "--worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        process.stdin.write(json.dumps(text) + "\n")
        process.stdin.flush()
        answer, printed = process.stdout.readline(), process.stdout.readline()
        yield json.loads(answer or "null"), json.loads(printed or "{}")
        if not printed:
            process.wait()
            process = None


def by_us(text):
    """The memory, or the error as text."""
    try:
        run = subprocess.run([LAYOUT, "hlo", "--json", "-"], input=text.encode(), capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return "a minute passed"
    if run.returncode:
        return re.sub(r"^error: <stdin>: (line \d+, column \d+: )?", "", run.stderr.decode().split("\n")[0])
    peak = json.loads(run.stdout)["peak"]
    return {name: value for name, value in peak.items() if name.endswith("bytes")}


def table(title, rows):
    """Rows of (message, path, length of the text) by message, the most frequent first, each with its shortest text."""
    groups = collections.defaultdict(list)
    for message, path, length in rows:
        groups[re.sub(r"`[^`]*`|\"[^\"]*\"|'[^']*'|%[\w.-]+|\d+", "…", message)].append((length, path, message))
    print(f"\n{title}: {len(rows)}")
    for group in sorted(groups.values(), key=len, reverse=True)[:40]:
        _, path, message = min(group)
        print(f"{len(group):6}  {message[:110]}  ({path})")


def main():
    paths = sorted(path for path in FOLDER.rglob("*") if path.suffix in (".hlo", ".txt") and path.is_file())
    texts = [path.read_bytes().decode(errors="replace") for path in paths]
    both, neither, programs = 0, 0, 0
    xla_only, here_only, ended, schedule, differ = [], [], [], [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, text, (xla, printed) in zip(paths, texts, by_xla(texts)):
            path = path.relative_to(FOLDER)
            ours = by_us(text)
            unscheduled = isinstance(ours, str) and ours.startswith(UNSCHEDULED)
            if unscheduled:  # so that the memory is asked for as well
                ours = by_us(as_scheduled(text))
            refused = isinstance(ours, str)
            if xla is None:
                ended.append(("refused here" if refused else "read here", path, len(text)))
            elif isinstance(xla, str):
                neither += refused
                if not refused:
                    here_only.append((xla, path, len(text)))
            elif refused:
                xla_only.append((ours, path, len(text)))
            else:
                both += 1
                if xla == unscheduled:
                    schedule.append(("scheduled by XLA alone" if unscheduled else "scheduled here alone", path, len(text)))
            if not printed:
                continue
            programs += 1
            memory = dict(zip(printed, pool.map(by_us, printed.values())))
            if xla and not refused:
                memory["text"] = ours
            for form, own in memory.items():
                if isinstance(own, str) or own != memory["default"]:
                    differ.append((f"{form}: {own if isinstance(own, str) else 'other bytes'}", path, len(text)))
    print(f"{len(paths)} texts: both read {both}, neither {neither}")
    table("only XLA reads", xla_only)
    table("only we read", here_only)
    table("XLA ended its process", ended)
    table("another schedule", schedule)
    table(f"forms of {programs} programs that differ from the default one", differ)
    sys.exit(bool(differ))


if sys.argv[1:] == ["--worker"]:
    worker()
    sys.exit(0)
FOLDER = pathlib.Path(sys.argv[1])
LAYOUT = (sys.argv[2:] or ["target/release/layout"])[0]
main()
