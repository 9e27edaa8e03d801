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
    print("SKIPPED: jaxlib, of 0.10 or later, is not installed")
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
    scheduled, found = re.subn(r"^(\s*HloModule\s+[^\s,]+)", r"\1, is_scheduled=true", text, count=1, flags=re.M)
    return scheduled if found else "HloModule m, is_scheduled=true\n\n" + text


def forms(module):
    """The texts that XLA prints of a scheduled program."""
    short = _hlo.HloPrintOptions.short_parsable()
    short.print_large_constants = False
    texts = {"default": module.to_string(), "short": module.to_string(short)}
    return {**texts, "compact": compact(texts["default"])}


def canonical(module):
    """Computations in instructions, in another order than the schedule's: what XLA reads of it is the default form to compare with."""
    text = module.to_string(_hlo.HloPrintOptions.canonical())
    if len(text) > 10_000_000:  # calls in calls make some a hundred times as long
        return {}
    return {"default": _hlo.hlo_module_from_text(text).to_string(), "canonical": text}


def worker():
    """Of each text lines of JSON: an error, or whether the text is scheduled, its forms, and its canonical form; then "end"."""
    for line in sys.stdin:
        signal.alarm(30)
        try:
            module = _hlo.hlo_module_from_text(json.loads(line))
            printed = module.to_string()
            scheduled = ", is_scheduled=true" in printed.split("\n")[0]
            say(scheduled)
            if not scheduled:  # operands stand before their uses
                module = _hlo.hlo_module_from_text(as_scheduled(printed))
            say(forms(module))
            say(canonical(module))
        except RuntimeError as error:
            reason = (str(error).split("\n") + [""])[1]
            say(re.sub(r"was parsing [\d:]+ (error: )?", "", reason))
        say("end")
        signal.alarm(0)


def say(answer):
    print(json.dumps(answer), flush=True)


def by_xla(texts):
    """The answers for each text, as many as came before XLA ended the worker; another one goes on then."""
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
        answers = []
        while (line := process.stdout.readline()) and (answer := json.loads(line)) != "end":
            answers.append(answer)
        yield answers
        if not line:
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
        for path, text, answers in zip(paths, texts, by_xla(texts)):
            path = path.relative_to(FOLDER)
            ours = by_us(text)
            unscheduled = isinstance(ours, str) and ours.startswith(UNSCHEDULED)
            if unscheduled:  # so that the memory is asked for as well
                ours = by_us(as_scheduled(text))
            refused = isinstance(ours, str) and not ours.startswith(UNSCHEDULED)
            xla = answers[0] if answers else None
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
                    what = "scheduled by XLA alone" if unscheduled else "scheduled here alone"
                    schedule.append((what, path, len(text)))
            printed = [forms for forms in answers[1:] if isinstance(forms, dict) and forms]
            programs += bool(printed)
            for forms in printed:
                memory = dict(zip(forms, pool.map(by_us, forms.values())))
                if xla and not refused and "compact" in forms:
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
