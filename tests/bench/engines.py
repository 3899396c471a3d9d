"""Engines that are compared: each a process that waits while others measure, reads a line and answers with one."""
import os
import subprocess
import sys
import tempfile


class CannotRun(Exception):
    """Why an engine cannot run, in its own last words."""


class Engine:
    """A process. With `ready`, it says a line that begins so before it can be asked; the rest of that line is `greeting`."""

    def __init__(self, command, environment=None, ready=None):
        self.errors = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True, env=environment)
        except OSError as error:
            raise CannotRun(f"{command[0]}: {error.strerror}") from None
        self.greeting = ""
        while ready and not self.greeting.startswith(ready):
            self.greeting = self._line()

    def ask(self, question):
        """The words of the answer."""
        try:
            self.process.stdin.write(question + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise CannotRun(self._last_words()) from None
        return self._line().split()

    def stop(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()

    def _line(self):
        line = self.process.stdout.readline()
        if not line.strip() and self.process.poll() is None and line:
            return self._line()
        if not line.strip():
            raise CannotRun(self._last_words())
        return line.strip()

    def _last_words(self):
        status = self.process.wait()
        self.errors.seek(0)
        lines = [line.strip() for line in self.errors.read().decode(errors="replace").splitlines() if line.strip()]
        how = f"ended by signal {-status}" if status < 0 else f"ended with exit code {status}"
        return f"{lines[-1]} ({how})" if lines else how


def machine():
    """The processor, and the instruction set that Attnscope's kernels are kept to."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        entries = dict(line.split(":", 1) for line in file.read().split("\n\n")[0].splitlines() if ":" in line)
    said = {key.strip(): value.strip() for key, value in entries.items()}
    flags = said.get("flags", "").split()
    best = next((name for flag, name in (("amx_bf16", "amx"), ("avx512_bf16", "avx512bf16"), ("avx512bw", "avx512"), ("avx2", "avx2")) if flag in flags), "portable")
    return {"machine": said.get("model name", "unknown"), "kernels": os.environ.get("ATTNSCOPE_CPU") or best}


def script(path, *arguments):
    """The command of a worker that is the calling script itself."""
    return [sys.executable, os.path.abspath(path), *map(str, arguments)]


class Lacks:
    """What could not run: told once for each engine and reason, and kept for the JSON."""

    def __init__(self):
        self.entries = []

    def add(self, engine, why, **where):
        if not any(entry["engine"] == engine and entry["why"] == str(why) for entry in self.entries):
            print(f"{engine} cannot run: {why}", file=sys.stderr, flush=True)
        self.entries.append({"engine": engine, **where, "why": str(why)})


def told(result):
    """Lines below a table about engines that could not run."""
    reasons = {}
    for entry in result.get("cannot_run", []):
        reasons.setdefault((entry["engine"], entry["why"]), entry)
    return "".join(f"\n{engine} cannot run: {why}" for engine, why in reasons)
