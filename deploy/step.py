"""Run a command unless it has already run with the same inputs.

    python deploy/step.py NAME [--input PATH]… [--makes PATH]… [--key TEXT]… [--database] --
    COMMAND…

The stamp in var/stamps/NAME holds the hash of the inputs, the keys and the command. This module
uses only the standard library, because it runs before the virtual environment exists.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STAMPS = ROOT / "var" / "stamps"
# Touched when a step finds no SQLite file. Stamps of the deleted file are older.
NEW_DATABASE = STAMPS / "new-database"
NOT_INPUT = {"__pycache__", "node_modules", ".cache", "coverage", "tests"}
DEFAULT_DATABASE = f"sqlite:///{ROOT / 'var' / 'mall.sqlite3'}"


def files_of(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files under `paths` in a stable order, without generated files."""
    for path in sorted(paths):
        if path.is_file():
            yield path
            continue
        for folder, names, files in os.walk(path):
            names[:] = sorted(name for name in names if name not in NOT_INPUT)
            yield from (Path(folder, name) for name in sorted(files))


def digest(paths: Iterable[Path], keys: Iterable[str] = ()) -> str:
    """Return the SHA-256, in hex, of the names and contents of the files under `paths`, and of
    `keys`.
    """
    total = hashlib.sha256()
    for key in keys:
        total.update(key.encode() + b"\0")
    for file in files_of(paths):
        total.update(
            str(file.relative_to(ROOT)).encode()
            + b"\0"
            + hashlib.sha256(file.read_bytes()).digest()
        )
    return total.hexdigest()


def database_url() -> str:
    """Return DATABASE_URL from the environment, from .env, or the default, in the same order as the
    settings.
    """
    if "DATABASE_URL" in os.environ:
        return os.environ["DATABASE_URL"]
    dotenv = ROOT / ".env"
    lines = dotenv.read_text(encoding="utf-8").splitlines() if dotenv.exists() else []
    found = [
        line.split("=", 1)[1].strip().strip("'\"")
        for line in lines
        if line.startswith("DATABASE_URL=")
    ]
    return found[-1] if found else DEFAULT_DATABASE


def sqlite_file() -> Path | None:
    """Return the path of the SQLite database, or None if the database is on a server."""
    url = database_url()
    return ROOT / url.removeprefix("sqlite:///") if url.startswith("sqlite:///") else None


def note_new_database() -> None:
    """Remember the time if there is no SQLite file, because the step that runs now creates it."""
    file = sqlite_file()
    if file is not None and not file.exists():
        STAMPS.mkdir(parents=True, exist_ok=True)
        NEW_DATABASE.touch()


def is_of_this_database(stamp: Path) -> bool:
    """Return whether the step ran on the SQLite file that exists now. The rows of a database server
    can change without a trace here, so that the answer for one is False.
    """
    file = sqlite_file()
    if file is None or not file.exists():
        return False
    return not NEW_DATABASE.exists() or stamp.stat().st_mtime >= NEW_DATABASE.stat().st_mtime


def is_done(stamp: Path, key: str, makes: Iterable[Path], *, database: bool) -> bool:
    """Return whether the stamp matches, all results exist and, for a step on the database, it ran
    on the present one.
    """
    if not stamp.exists() or stamp.read_text() != key or not all(path.exists() for path in makes):
        return False
    return not database or is_of_this_database(stamp)


def main() -> int:
    """Run the step of the command line. Return the command's exit code, or 0 if nothing had to be
    done.
    """
    parser = argparse.ArgumentParser(
        description="Run a command unless it has already run on the same inputs."
    )
    parser.add_argument("name")
    parser.add_argument("--input", action="append", type=Path, default=[])
    parser.add_argument("--makes", action="append", type=Path, default=[])
    parser.add_argument("--key", action="append", default=[])
    parser.add_argument("--database", action="store_true")
    split = sys.argv.index("--")
    options, command = parser.parse_args(sys.argv[1:split]), sys.argv[split + 1 :]
    keys = [*options.key, *command, *([database_url()] if options.database else [])]
    key = digest([ROOT / path for path in options.input], keys)
    stamp = STAMPS / options.name
    if is_done(stamp, key, [ROOT / path for path in options.makes], database=options.database):
        return 0
    if options.database:
        note_new_database()
    sys.stdout.write(f"── {options.name}\n")
    sys.stdout.flush()
    began = time.monotonic()
    code = subprocess.run(command, check=False).returncode
    if code == 0:
        STAMPS.mkdir(parents=True, exist_ok=True)
        stamp.write_text(key)
        sys.stdout.write(f"   {options.name}: {time.monotonic() - began:.1f} s\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
