"""`python -m demo.generate` writes the generated sheets. The same vocabulary always gives the
same bytes.
"""

import sys

from demo.generate.catalogue import write_catalogue
from demo.generate.commercial import write_commercial
from demo.generate.sheets import CATALOGUE, read_sheet


def main() -> None:
    """Write all generated sheets and print the number of rows of each."""
    counts = write_catalogue() | write_commercial(read_sheet(CATALOGUE / "products.csv"))
    for name, rows in counts.items():
        sys.stdout.write(f"{name:24} {rows:6}\n")


if __name__ == "__main__":
    main()
