"""Devices by the keys of a typed phrase, and cross references of products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.common.sql import fetch_prepared, in_list
from apps.finders.enums import ReferenceKind

MAX_DEVICES = 50
MAX_REFERENCES = 50
DEVICES = """
SELECT n.key, d.id, b.name, b.english_name, d.model FROM finders_devicename n
JOIN finders_device d ON d.id = n.device_id JOIN finders_devicebrand b ON b.id = d.brand_id
WHERE {where} ORDER BY d.id LIMIT {limit}
"""
REFERENCES = """
SELECT r.brand, r.part_number, r.name, r.kind, r.note, r.product_id
FROM finders_crossreference r
WHERE {parts} UNION SELECT r.brand, r.part_number, r.name, r.kind, r.note, r.product_id
FROM finders_crossreference r WHERE {names}
ORDER BY 4, 1, 2, 3, 6 LIMIT {limit}
"""


@dataclass(frozen=True, slots=True)
class DeviceMatch:
    """A device that has the key."""

    key: str
    device_id: int
    brand: str
    english_name: str
    model: str

    @property
    def label(self) -> str:
        """The name on the screen: 惠普 LaserJet M1005 MFP."""
        return f"{self.brand} {self.model}"


def find_devices(keys: Sequence[str]) -> list[DeviceMatch]:
    """Return the devices that have one of the keys, at most 50. One query, none without keys."""
    if not keys:
        return []
    where = in_list("n.key", list(keys))
    rows = fetch_prepared(DEVICES.format(where=where.sql, limit=MAX_DEVICES), where.parameters)
    return [DeviceMatch(*row) for row in rows]


@dataclass(frozen=True, slots=True)
class Reference:
    """A product of another brand and our product for it."""

    brand: str
    part_number: str
    name: str
    kind: str
    note: str
    product_id: int

    @property
    def kind_text(self) -> str:
        """等同 or 相近."""
        return str(ReferenceKind(self.kind).label)

    @property
    def label(self) -> str:
        """The part number, or the name if there is none."""
        return self.part_number or self.name


def find_references(
    *, part_keys: Sequence[str], name_keys: Sequence[str], limit: int = MAX_REFERENCES
) -> list[Reference]:
    """Return at most `limit` cross references with one of the part numbers or names, equal ones
    first. One query, none without keys.
    """
    part_keys, name_keys = [key for key in part_keys if key], [key for key in name_keys if key]
    if not part_keys and not name_keys:
        return []
    parts, names = in_list("r.part_key", part_keys), in_list("r.name_key", name_keys)
    sql = REFERENCES.format(parts=parts.sql, names=names.sql, limit=limit)
    return [Reference(*row) for row in fetch_prepared(sql, [*parts.parameters, *names.parameters])]
