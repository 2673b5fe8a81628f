"""The keys by which a typed phrase names a device."""

from __future__ import annotations

import re

from apps.catalog.indexing.text import build_model_key
from apps.finders.models import Device, DeviceBrand

SPLIT = re.compile(r"[;；、,，\n]+")


def list_device_keys(*, device: Device, brand: DeviceBrand) -> list[str]:
    """Return the keys of the device: model and aliases, alone and after the names of the brand:
    m1005, hpm1005, 惠普m1005.
    """
    own_keys = [build_model_key(text) for text in (device.model, *SPLIT.split(device.aliases))]
    own_keys = [key for key in dict.fromkeys(own_keys) if key]
    brands = [
        key for key in (build_model_key(brand.name), build_model_key(brand.english_name)) if key
    ]
    return list(
        dict.fromkeys([*own_keys, *(f"{brand}{key}"[:100] for brand in brands for key in own_keys)])
    )
