"""Save devices together with their search keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.db import transaction

from apps.catalog.indexing.text import build_model_key, normalise
from apps.catalog.services.changes import catalogue_row_save
from apps.finders.models import CrossReference, Device, DeviceBrand, DeviceName
from apps.finders.selectors.device_keys import list_device_keys

if TYPE_CHECKING:
    from apps.org.models import Account


@transaction.atomic
def device_save(*, actor: Account | None, device: Device) -> Device:
    """Save a device and derive its keys. Return the device."""
    device.model_key = build_model_key(device.model)
    catalogue_row_save(actor=actor, row=device)
    device_names_write(devices=[device])
    return device


@transaction.atomic
def device_brand_save(*, actor: Account | None, brand: DeviceBrand) -> DeviceBrand:
    """Save a brand. The keys of its devices contain its names and are derived again."""
    catalogue_row_save(actor=actor, row=brand)
    device_names_write(devices=list(Device.objects.filter(brand=brand)))
    return brand


def device_names_write(*, devices: Iterable[Device]) -> None:
    """Replace the keys of the devices in the caller's transaction."""
    rows = list(devices)
    brands = DeviceBrand.objects.in_bulk({device.brand_id for device in rows})
    DeviceName.objects.filter(device__in=rows).delete()
    DeviceName.objects.bulk_create(
        [
            DeviceName(device_id=device.pk, key=key)
            for device in rows
            for key in list_device_keys(device=device, brand=brands[device.brand_id])
        ],
        batch_size=1000,
    )


def cross_reference_save(*, actor: Account | None, row: CrossReference) -> CrossReference:
    """Save a cross reference with its keys. Return the row."""
    row.part_key, row.name_key = build_model_key(row.part_number), normalise(row.name)
    catalogue_row_save(actor=actor, row=row)
    return row
