"""Wait until the server answers, then print its address and the demo accounts: python
deploy/announce.py PORT.
"""

import sys
import time
import urllib.error
import urllib.request

WAIT_SECONDS = 60
ACCOUNTS = (
    ("ga", "集团管理员", "every menu"),
    ("buyer", "采购员", "cart and orders, with approval and budget"),
    ("approver", "部门负责人", "approves"),
    ("finance", "财务", "invoices and reports"),
    ("limited", "受限账号", "two menu codes only"),
    ("requester", "仅申请", "requisitions that a buyer orders"),
    ("other", "另一集团的管理员", "a second group: sees nothing of the first"),
    ("ops", "运营", "back office at /admin/"),
)


def is_ready(address: str) -> bool:
    """Return whether `address`/readyz answers 200."""
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def main() -> int:
    """Print the address and the accounts when the server is ready. Return 1 if it does not become
    ready.
    """
    address = f"http://127.0.0.1:{sys.argv[1]}"
    deadline = time.monotonic() + WAIT_SECONDS
    while not is_ready(address):
        if time.monotonic() > deadline:
            sys.stderr.write(
                f"{address}/readyz does not answer 200: see the server's messages above\n"
            )
            return 1
        time.sleep(0.1)
    lines = [
        f"\n  文采商城  {address}/        back office  {address}/admin/",
        "  password of all demo accounts: demo-Mall-2026",
    ]
    lines += [f"    {name:<9} {role}  ({note})" for name, role, note in ACCOUNTS]
    sys.stdout.write("\n".join([*lines, "", ""]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
