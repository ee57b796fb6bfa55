"""Runs a command on generated files, and measures its cost."""
import os, resource, select, signal, time


class Run:
    input = output = memory = 0
    seconds = 0.0
    status = None
    ended = ""  # the reason, if the run was stopped
    refused = ""  # set if it failed for lack of memory


def write_files(make, size, folder):
    """Writes the files in a process of its own, since a run's peak memory counts from that of its parent process."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            made = make(size)
            for i, part in enumerate(made if isinstance(made, tuple) else (made,)):
                (folder / str(i)).write_bytes(part)
            code = 0
        finally:
            os._exit(code)
    if os.waitpid(child, 0)[1]:
        raise RuntimeError("the input could not be made")
    return sorted(folder.iterdir())


def start(line, memory):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 0)
            os.dup2(writing, 1)
            os.dup2(writing, 2)  # messages count as output, too
            os.close(reading)
            os.execv(line[0], line)
        finally:
            os._exit(127)
    os.close(writing)
    return child, reading


def measure(program, words, make, size, folder, seconds, memory, output):
    """Runs `words` once. {0} and {1} stand for the files from `make(size)`, {out} for a new file. The run is
    stopped after `seconds`, beyond `memory` bytes of address space, and beyond `output` bytes."""
    files = write_files(make, size, folder)
    names = {str(i): str(path) for i, path in enumerate(files)}
    out = folder / "out"
    line = [program] + [word.format(*[str(path) for path in files], out=out) for word in words]
    run = Run()
    run.input = sum(path.stat().st_size for path in files)
    child, pipe = start(line, memory)
    deadline = time.monotonic() + seconds
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            run.ended = f"over {seconds:.0f} s"
        elif run.output > output:
            run.ended = f"output over {run.output / run.input:.0f}x"
        if run.ended:
            os.kill(child, signal.SIGKILL)
            break
        if select.select([pipe], [], [], min(left, 1))[0]:
            part = os.read(pipe, 1 << 16)
            if not part:
                break
            run.output += len(part)
            if b"error[no_memory]" in part:
                run.refused = "no memory"
    os.close(pipe)
    _, status, usage = os.wait4(child, 0)
    run.status = os.waitstatus_to_exitcode(status)
    run.seconds = usage.ru_utime + usage.ru_stime
    run.memory = usage.ru_maxrss * 1024
    if out.exists():
        run.output += out.stat().st_size
    if not run.ended and (run.status < 0 or run.status == 127):
        run.ended = f"ended by signal {-run.status}"
    return run
