"""Serve a private copy of the demo data under the clock of MALL_CLOCK. Prints the address; ends
when its standard input is closed.
"""

import os
import sys

from tests.e2e.database import demo_database
from tests.e2e.server import server


def main() -> None:
    """Serve until the parent closes the input."""
    with (
        demo_database(dict(os.environ)) as prepared,
        server(prepared, "tests.e2e.clocked.wsgi:application") as address,
    ):
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
