"""A database with the demo data for one run. The loaded state is kept in var/e2e and rebuilt
when its inputs change.
"""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import urlsplit, urlunsplit
from zoneinfo import ZoneInfo

import psycopg

from deploy.step import digest
from tests.e2e.transfer import transfer

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "var" / "e2e"
MADE_OF = (
    "demo",
    "apps/common/migrations",
    "requirements.txt",
    "tests/e2e/database.py",
)


def get_day() -> str:
    """Return the reference day of the sheets' dates: DEMO_DAY, the day of the run, or today in
    Shanghai.
    """
    return (
        os.environ.get("DEMO_DAY") or datetime.now(tz=ZoneInfo("Asia/Shanghai")).date().isoformat()
    )


def get_state_key() -> str:
    """Return the hash of the loaded database's inputs."""
    inputs = [ROOT / path for path in MADE_OF]
    inputs += [
        *ROOT.glob("apps/*/migrations"),
        *ROOT.glob("apps/*/management"),
        ROOT / "apps" / "catalog" / "services",
        ROOT / "apps" / "search" / "images",
        ROOT / "apps" / "search" / "services",
    ]
    return digest([path for path in inputs if path.exists()], [get_day()])[:12]


# The pictures of the best sellers are described once for all walks. The others are marked as
# showing nothing: each server would otherwise spend 40 seconds on them. `bench/image/measure.py`
# describes them all.
DESCRIBE_PICTURES = """
from apps.catalog.models import Product
from apps.search.models import PictureVector
from apps.search.images.embedder import get_image_embedder
from apps.search.services.picture_index import pictures_index
others = Product.objects.exclude(image="").order_by("-sales_count", "pk").values_list("pk",
    "image")[300:]
name = get_image_embedder().name
PictureVector.objects.bulk_create(PictureVector(product_id=pk, path=path, embedder=name,
    vector=b"") for pk, path in others)
pictures_index(seconds=600)
"""


# Of the run's other database: what is loaded must not tell its cache and its workers.
SHARED = ("CACHE_URL", "CELERY_BROKER_URL")
LOAD = (("load_demo",), ("shell", "--verbosity", "0", "--command", DESCRIBE_PICTURES))


def run_manage(environment: dict[str, str], *commands: Sequence[str]) -> None:
    """Run commands of manage.py on the database in `environment`."""
    for command in commands:
        subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env={**environment, "LOG_LEVEL": "WARNING"},
            check=True,
            stdin=subprocess.DEVNULL,
            # Whoever asked may read an address from our own output.
            stdout=sys.stderr,
        )


def copy_template(address: str | None, target: str) -> None:
    """Copy the migrated database of the back end's tests, which saves the time of `migrate`. With
    the address of a PostgreSQL server `target` is the name of a new database, otherwise an SQLite
    file.
    """
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    if address:
        environment["DATABASE_URL"] = address
    subprocess.run(
        [sys.executable, "-m", "apps.common.testing.template", target],
        cwd=ROOT,
        env={**environment, "DJANGO_SETTINGS_MODULE": "mall.settings.test"},
        check=True,
        stdin=subprocess.DEVNULL,
    )


# The password of all demo accounts (demo/load/organisation.py).
DEMO_PASSWORD = "demo-Mall-2026"
SALT = "journeys" * 3
CHEAP_PASSWORD = f"md5${SALT}${hashlib.md5((SALT + DEMO_PASSWORD).encode()).hexdigest()}"  # noqa: S324

CHEAPEN = "UPDATE org_account SET password = {mark} WHERE substr(password, 1, 6) = 'argon2'"


def wants_cheap_passwords(environment: dict[str, str]) -> bool:
    """Return whether the copy is for servers that store passwords by MD5. The first sign-in of
    each account in each lane would otherwise take a third of a second of processor.
    """
    return environment.get("DJANGO_SETTINGS_MODULE") == "tests.e2e.settings"


def get_kept_folder(kind: str) -> Path:
    """Return the folder of the loaded state. Folders of older states are deleted."""
    folder = KEPT / f"{kind}-{get_state_key()}"
    for old in KEPT.glob(f"{kind}-*"):
        if old != folder:
            shutil.rmtree(old)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def load_database(environment: dict[str, str]) -> Path:
    """Return the folder of the loaded SQLite file and its media. Load them if they do not exist."""
    folder = get_kept_folder("sqlite")
    if not (folder / "done").exists():
        (folder / "mall.sqlite3").unlink(missing_ok=True)
        own = {name: value for name, value in environment.items() if name not in SHARED}
        copy_template(None, str(folder / "mall.sqlite3"))
        run_manage(
            {
                **own,
                # The benchmarks take copies of it too, and read no cheap passwords.
                "DJANGO_SETTINGS_MODULE": "mall.settings.dev",
                "DATABASE_URL": f"sqlite:///{folder / 'mall.sqlite3'}",
                "MEDIA_ROOT": str(folder / "media"),
            },
            *LOAD,
        )
        with sqlite3.connect(folder / "mall.sqlite3") as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (folder / "done").touch()
    return folder


@contextmanager
def on_sqlite(environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield the environment of a private copy of the loaded SQLite file and its media."""
    folder = load_database(environment)
    run = Path(mkdtemp(prefix="mall-e2e-"))
    try:
        shutil.copy(folder / "mall.sqlite3", run / "mall.sqlite3")
        if wants_cheap_passwords(environment):
            with closing(sqlite3.connect(run / "mall.sqlite3")) as connection, connection:
                connection.execute(CHEAPEN.format(mark="?"), [CHEAP_PASSWORD])
        copy_media(folder, run)
        yield {
            **environment,
            "DATABASE_URL": f"sqlite:///{run / 'mall.sqlite3'}",
            "MEDIA_ROOT": str(run / "media"),
        }
    finally:
        shutil.rmtree(run, ignore_errors=True)


def get_address(environment: dict[str, str], name: str) -> str:
    """Return the address of the database `name` on the server in DATABASE_URL."""
    return urlunsplit(urlsplit(environment["DATABASE_URL"])._replace(path=f"/{name}"))


def get_own_ending(environment: dict[str, str]) -> str:
    """Return how the names of this run's templates end: with the working tree and the database in
    DATABASE_URL. Other runs on the same server keep theirs.
    """
    tree = hashlib.sha256(str(ROOT).encode()).hexdigest()[:6]
    return f"_{tree}_{urlsplit(environment['DATABASE_URL']).path.strip('/')}"


def get_template(environment: dict[str, str]) -> str:
    """Return the name of the PostgreSQL database with the loaded rows. Create it if it does not
    exist, and drop those of older states.
    """
    source, folder = load_database(environment), get_kept_folder("postgres")
    ending = get_own_ending(environment)
    name = f"mall_demo_{folder.name.removeprefix('postgres-')}{ending}"
    with psycopg.connect(get_address(environment, "postgres"), autocommit=True) as connection:
        known = [
            each
            for (each,) in connection.execute("SELECT datname FROM pg_database").fetchall()
            if each.startswith("mall_demo_") and each.endswith(ending)
        ]
        if not (folder / "done").exists() or name not in known:
            for each in known:
                connection.execute(f'DROP DATABASE "{each}" WITH (FORCE)')
            copy_template(environment["DATABASE_URL"], name)
            transfer(source / "mall.sqlite3", get_address(environment, name))
            (folder / "done").touch()
    return name


@contextmanager
def on_postgres(environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield the environment of a private copy of the template (CREATE DATABASE … TEMPLATE) and
    of the media.
    """
    source = get_template(environment)
    private = f"mall_e2e_{os.getpid()}_{environment.get('MALL_LANE', '0')}"
    run = Path(mkdtemp(prefix="mall-e2e-"))
    with psycopg.connect(get_address(environment, "postgres"), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE {private} TEMPLATE "{source}"')
        try:
            if wants_cheap_passwords(environment):
                with psycopg.connect(get_address(environment, private)) as copy:
                    copy.execute(CHEAPEN.format(mark="%s"), [CHEAP_PASSWORD])
            copy_media(load_database(environment), run)
            yield {
                **environment,
                "DATABASE_URL": get_address(environment, private),
                "MEDIA_ROOT": str(run / "media"),
            }
        finally:
            connection.execute(f"DROP DATABASE {private} WITH (FORCE)")
            shutil.rmtree(run, ignore_errors=True)


def copy_media(folder: Path, run: Path) -> None:
    """Give the run its own media folder, so that it does not change the kept one."""
    if (folder / "media").exists():
        shutil.copytree(folder / "media", run / "media", copy_function=shutil.copy)


def is_sqlite(environment: dict[str, str]) -> bool:
    """Return whether DATABASE_URL names SQLite, which is the default."""
    return environment.get("DATABASE_URL", "sqlite").startswith("sqlite")


def prepare(environment: dict[str, str]) -> None:
    """Load the state from which private copies are made. Lanes must not do this in parallel."""
    if is_sqlite(environment):
        load_database(environment)
    else:
        get_template(environment)


@contextmanager
def demo_database(environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield the environment of a database with the demo data, of the kind in DATABASE_URL
    (default SQLite).
    """
    on = on_sqlite if is_sqlite(environment) else on_postgres
    with on(environment) as prepared:
        yield prepared
