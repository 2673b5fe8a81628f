"""Run the tests against a copy of the tree with one fault."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import tempfile
import time
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import Any

from bench.affected.choice import find_tests, find_tests_behind
from bench.affected.testmap import KnownTest, TestMap
from bench.faults.table import Fault, NotFoundOnce, find_line, plant_fault

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / "var" / "faults"
PLUGINS = ROOT / "bench" / "affected" / "plugins"
CPU_SECONDS = 60
WALL_SECONDS = 900
LONG_SECONDS = 900
FIRST_TESTS = 25
ALL_TESTS = 2500
# These look for each fault's text in the tree, so they fail for every fault that is planted.
OWN_TESTS = "tests/contracts/test_faults.py::"
VITEST = ["node", "node_modules/vitest/vitest.mjs"]
TSC = ["node", "node_modules/ts7/bin/tsc", "-p", ".", "--noEmit"]


@dataclass
class Verdict:
    """The result for one fault. `layer` is empty if nothing caught it; `is_capped` if not all
    tests fitted into the time; `is_missing` if the tree does not contain the fault's text.
    """

    id: str
    layer: str = ""
    by: str = ""
    message: str = ""
    tests: int = 0
    seconds: float = 0
    is_capped: bool = False
    is_missing: bool = False


@dataclass(frozen=True)
class Ended:
    """The result of a command. `is_late`: it was stopped at its time limit."""

    code: int
    output: str
    is_late: bool


def get_layer(test: str) -> str:
    """Return the layer of a back-end test, from its path."""
    folders = test.partition("::")[0].split("/")[:-1]
    return next(
        (name for name in ("gauntlet", "contracts", "e2e", "admin", "api") if name in folders),
        "unit",
    )


class Copy:
    """A copy of the tree in which faults are planted, one at a time."""

    def __init__(self, folder: Path, testmap: Path, *, cpu_seconds: int = CPU_SECONDS) -> None:
        """Use the copied tree at `folder` and its test map. The tests of a fault get
        `cpu_seconds` of processor time.
        """
        self.folder, self.testmap, self.cpu_seconds = folder, TestMap(testmap), cpu_seconds
        # Fault → the test that caught it before; it runs first.
        self.first_tests: dict[str, str] = {}
        self.notes = folder / "var" / "fault-notes"
        self.notes.mkdir(parents=True, exist_ok=True)
        self.server: Connection | None = None

    def command(
        self,
        command: Sequence[str],
        *,
        inside: str = ".",
        cpu: int = CPU_SECONDS,
        wall: int = WALL_SECONDS,
        **extra: str,
    ) -> Ended:
        """Run the command in the copy, with at most `cpu` seconds of processor per process and
        `wall` seconds of time.
        """
        process = subprocess.Popen(
            ["nice", "-n", "15", *command],
            cwd=self.folder / inside,
            env=self.environment(**extra),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 5)),  # noqa: PLW1509
        )
        try:
            output, _ = process.communicate(timeout=wall)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            output, _ = process.communicate()
        return Ended(process.returncode, output, process.returncode < 0)

    def start_server(self) -> None:
        """Start a process that collects all tests once and judges faults in forks."""
        address = str(Path(tempfile.mkdtemp(prefix="faults-"), "socket"))
        command = [
            ".venv/bin/python",
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:xdist",
            "-p",
            "mall_serve_faults",
            "-m",
            "not gauntlet",
        ]
        with (self.notes / "server.log").open("w") as log:
            process = subprocess.Popen(
                ["nice", "-n", "15", *command],
                cwd=self.folder,
                env=self.environment(
                    PYTHONPATH=str(PLUGINS), FAULT_SOCKET=address, OPENBLAS_NUM_THREADS="1"
                ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        while process.poll() is None and self.server is None:
            try:
                self.server = Client(address, "AF_UNIX")
                self.server.recv()
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.5)

    def fork(
        self, fault: Fault | None, texts: tuple[str, str], tests: Sequence[str], cpu: int
    ) -> tuple[list[list[str]], bool] | None:
        """Return the first failure and whether the time was over, from a fork of the server;
        None if a fork cannot judge the fault.
        """
        if self.server is None:
            return None
        # The server patches a Python module in memory. Other files are already changed on the disk.
        path = str(self.folder / fault.path) if fault and fault.path.endswith(".py") else ""
        self.server.send((path, *texts, list(tests), cpu))
        reply: tuple[list[list[str]], bool] | None = self.server.recv()
        return reply

    def environment(self, **extra: str) -> dict[str, str]:
        """Return the environment of a command: the copy's settings and database, temporary
        files in memory.
        """
        stored_values = {
            key: value
            for key, value in os.environ.items()
            if key not in ("PYTHONDONTWRITEBYTECODE", "DATABASE_URL", "CACHE_URL")
        }
        memory = "/dev/shm"  # noqa: S108
        own = {"DJANGO_SETTINGS_MODULE": "mall.settings.test", "NO_COLOR": "1", "CI": "1", **extra}
        return {**stored_values, **({"TMPDIR": memory} if os.path.isdir(memory) else {}), **own}

    def pytest(
        self, tests: Sequence[str], *, cpu: int = CPU_SECONDS
    ) -> tuple[Ended, list[list[str]]]:
        """Run the named tests until one fails. Return the result and [name, message] of the
        failure.
        """
        chosen, failed = self.notes / "chosen.json", self.notes / "failed.json"
        chosen.write_text(json.dumps(tests), encoding="utf-8")
        failed.unlink(missing_ok=True)
        files = [
            file
            for file in dict.fromkeys(test.partition("::")[0] for test in tests)
            if (self.folder / file).exists()
        ]
        if not files:
            return Ended(5, "", is_late=False), []
        ended = self.command(
            [
                ".venv/bin/python",
                "-m",
                "pytest",
                "-q",
                "-x",
                "--tb=short",
                "-p",
                "no:xdist",
                "-p",
                "mall_choose_tests",
                *files,
            ],
            cpu=cpu,
            PYTHONPATH=str(PLUGINS),
            CHOSEN_TESTS=str(chosen),
            FAILED_TESTS=str(failed),
        )
        failures: list[list[str]] = (
            json.loads(failed.read_text(encoding="utf-8")) if failed.exists() else []
        )
        if not failures and ended.code not in (0, 5) and not ended.is_late:
            failures = [["start of the tests", ended.output.strip()[-400:]]]
        return ended, failures

    @contextmanager
    def planted(self, fault: Fault) -> Generator[str]:
        """Plant the fault during the block. Yields the file's original text.

        Raises:
            NotFoundOnce: the fault's text does not occur exactly once.
        """
        path = self.folder / fault.path
        if not path.exists():
            raise NotFoundOnce(f"{fault.id}: no file {fault.path}")
        text, times = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(plant_fault(fault, text), encoding="utf-8")
        try:
            yield text
        finally:
            path.write_text(text, encoding="utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def list_tests(copy: Copy, fault: Fault) -> list[KnownTest]:
    """Return the back-end tests that can notice the fault, most promising first."""
    if fault.is_frontend:
        names = {
            file
            for file in (copy.folder / "tests" / "contracts").glob("test_*.py")
            if "frontend" in file.read_text(encoding="utf-8")
        }
        return [
            test
            for test in copy.testmap.tests.values()
            if copy.folder / test.name.partition("::")[0] in names
        ]
    text = (copy.folder / fault.path).read_text(encoding="utf-8")
    if text.count(fault.find) != 1:
        return []
    find = (
        find_tests_behind if fault.is_guard_out and fault.path in copy.testmap.files else find_tests
    )
    return find(copy.folder, copy.testmap, fault.path, find_line(fault, text))


def try_backend(
    copy: Copy, fault: Fault, text: str, tests: list[KnownTest], verdict: Verdict
) -> None:
    """Run the tests in order, in a fork if possible. If the fork finds nothing, run the most
    promising ones in their own process.
    """
    verdict.tests += len(tests)
    verdict.is_capped |= len(tests) > ALL_TESTS
    names = [test.name for test in tests[:ALL_TESTS]]
    reply = copy.fork(fault, (text, plant_fault(fault, text)), names, copy.cpu_seconds)
    if reply:
        record_failure(verdict, reply[0])
        verdict.is_capped |= reply[1]
    for some in [names[:FIRST_TESTS]] + ([] if reply else [names[FIRST_TESTS:]]):
        if not verdict.layer:
            ended, failures = copy.pytest(some, cpu=copy.cpu_seconds)
            record_failure(verdict, failures)
            verdict.is_capped |= ended.is_late


def record_failure(verdict: Verdict, failures: Sequence[Sequence[str]]) -> None:
    """Record the first failure in the verdict, if there is one."""
    if failures:
        verdict.by, verdict.message = failures[0]
        verdict.layer = get_layer(verdict.by)


def tests_near(copy: Copy, path: str) -> list[str]:
    """Return the component tests in the folder of the changed file, and those that import it
    directly.
    """
    file = copy.folder / path
    imports = re.compile(rf"from '[^']*/{re.escape(file.stem)}'")
    tests = sorted((copy.folder / "frontend" / "src").rglob("*.test.ts*"))
    near = [
        test
        for test in tests
        if test.parent == file.parent or imports.search(test.read_text(encoding="utf-8"))
    ]
    return [str(test.relative_to(copy.folder / "frontend")) for test in near]


def try_vitest(copy: Copy, fault: Fault, verdict: Verdict) -> None:
    """Run the component tests that import the changed file, nearest first."""
    if not fault.is_frontend:
        return
    report = copy.notes / "vitest.json"
    near = tests_near(copy, fault.path)
    file = str(Path(fault.path).relative_to("frontend"))
    for command in ([["run", *near]] if near else []) + [["related", file, "--run"]]:
        report.unlink(missing_ok=True)
        options = [
            "--bail=1",
            "--maxWorkers=1",
            "--passWithNoTests",
            "--reporter=json",
            f"--outputFile={report}",
        ]
        ended = copy.command(
            [*VITEST, *command, *options],
            inside="frontend",
            cpu=copy.cpu_seconds,
            wall=3 * copy.cpu_seconds,
        )
        verdict.is_capped |= ended.is_late
        result = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
        verdict.tests += int(result.get("numTotalTests", 0))
        if failed := find_first_failed(result):
            verdict.layer, verdict.by, verdict.message = (
                "component",
                str(Path(failed[0]).relative_to(copy.folder)),
                failed[1],
            )
        elif ended.code and not ended.is_late:
            verdict.layer, verdict.by, verdict.message = (
                "component",
                "start of the tests",
                ended.output.strip()[-400:],
            )
        if verdict.layer:
            return


def find_first_failed(report: dict[str, Any]) -> tuple[str, str] | None:
    """Return name and message of the first failed test of vitest's report."""
    for result in report.get("testResults", []):
        for test in result["assertionResults"]:
            if test["status"] == "failed":
                return f"{result['name']}::{test['fullName']}", str(test["failureMessages"][:1])[
                    :400
                ]
    return None


def try_lint(copy: Copy, fault: Fault, verdict: Verdict) -> None:
    """Run the linters, and for the front end the type checker. mypy is left out: it takes
    longer than the tests and sees only types.
    """
    lint = ["node", "node_modules/.bin/oxlint", "--type-aware", "--deny-warnings", "src"]
    python = (
        [[".venv/bin/ruff", "check", "--no-cache", fault.path]]
        if fault.path.endswith(".py")
        else []
    )
    for command in [TSC, lint] if fault.is_frontend else python:
        ended = copy.command(
            command, inside="frontend" if fault.is_frontend else ".", cpu=LONG_SECONDS
        )
        if ended.code and not ended.is_late:
            verdict.layer, verdict.by, verdict.message = (
                "lint",
                " ".join(command[:3]),
                ended.output.strip()[-400:],
            )
            return


def try_last(copy: Copy, fault: Fault, verdict: Verdict) -> None:
    """Run the journey, or the race on PostgreSQL, that the fault's row names."""
    if not fault.last:
        return
    if fault.last.endswith(".mjs"):
        is_as_linked = (copy.folder / "static" / "app").is_symlink()
        if (fault.is_frontend or not is_as_linked) and not build(copy):
            verdict.layer, verdict.by = "journey", "build of the front end"
            return
        command = [".venv/bin/python", "-m", "tests.e2e", fault.last]
        layer = "journey"
        ended = copy.command(
            command,
            cpu=LONG_SECONDS,
            DJANGO_SETTINGS_MODULE="mall.settings.dev",
            BROWSER="required",
        )
    else:
        url = os.environ.get("FAULTS_POSTGRES", "")
        if not url:
            verdict.message = f"not tried on PostgreSQL (FAULTS_POSTGRES): {fault.last}"
            return
        command = [".venv/bin/python", "-m", "pytest", "-q", "-x", "-p", "no:xdist", fault.last]
        layer, ended = (
            "gauntlet",
            copy.command(command, cpu=LONG_SECONDS, DATABASE_URL=url, GAUNTLET="short"),
        )
    if ended.code == 1:
        verdict.layer, verdict.by, verdict.message = layer, fault.last, ended.output.strip()[-400:]


def build(copy: Copy) -> bool:
    """Build the front end in the copy. Linked folders of the original tree are not changed."""
    for name in ("static/app", "staticfiles"):
        if (copy.folder / name).is_symlink():
            (copy.folder / name).unlink()
    collect = (
        ".venv/bin/python manage.py collectstatic --noinput --clear --verbosity 0 --ignore redoc "
        "&& node deploy/brotli.mjs staticfiles"
    )
    commands = (
        ["npm", "run", "--silent", "--prefix", "frontend", "build"],
        ["bash", "-c", collect],
    )
    return all(
        copy.command(command, cpu=LONG_SECONDS, DJANGO_SETTINGS_MODULE="mall.settings.dev").code
        == 0
        for command in commands
    )


def confirm(copy: Copy, verdicts: list[Verdict]) -> set[str]:
    """Run the catching back-end tests in the copy without a fault. Return those that fail
    anyway.
    """
    names = [
        verdict.by
        for verdict in verdicts
        if "::" in verdict.by and not verdict.by.startswith("frontend/")
    ]
    unsure: set[str] = set()
    while names:
        reply = copy.fork(None, ("", ""), sorted(set(names) - unsure), LONG_SECONDS)
        failures = (
            reply[0] if reply else copy.pytest(sorted(set(names) - unsure), cpu=LONG_SECONDS)[1]
        )
        new = {name for name, _ in failures} - unsure
        if not new:
            break
        unsure |= new
    return unsure


def judge(copy: Copy, fault: Fault, unsure: Collection[str] = ()) -> Verdict:
    """Plant the fault and return the verdict. Tests in `unsure` are left out."""
    verdict, began = Verdict(fault.id), time.monotonic()
    tests = [
        test
        for test in list_tests(copy, fault)
        if test.name not in unsure and not test.name.startswith(OWN_TESTS)
    ]
    tests.sort(key=lambda test: test.name != copy.first_tests.get(fault.id))
    try:
        with copy.planted(fault) as text:
            try_vitest(copy, fault, verdict)
            if not verdict.layer:
                try_backend(copy, fault, text, tests, verdict)
            if not verdict.layer:
                try_lint(copy, fault, verdict)
            if not verdict.layer:
                try_last(copy, fault, verdict)
    except NotFoundOnce as error:
        verdict.message, verdict.is_missing = str(error), True
    verdict.seconds = round(time.monotonic() - began, 1)
    return verdict
