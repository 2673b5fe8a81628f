"""Factories of devices, compatible products and cross references."""

from __future__ import annotations

from typing import Any

import factory

from apps.catalog.indexing.text import build_model_key, normalise
from apps.catalog.models import Product
from apps.common.testing.factories import RowFactory
from apps.finders.models import CrossReference, Device, DeviceBrand, DeviceCompatibility
from apps.finders.services.devices import device_names_write


class DeviceBrandFactory(RowFactory[DeviceBrand]):
    class Meta:
        model = DeviceBrand
        django_get_or_create = ("name",)

    name = "惠普"
    english_name = "HP"


class DeviceFactory(RowFactory[Device]):
    """A device with its keys."""

    class Meta:
        model = Device

    brand = factory.SubFactory(DeviceBrandFactory)
    model = factory.Sequence(lambda n: f"X{n}00")

    @classmethod
    def _create(cls, model_class: type[Device], *args: Any, **kwargs: Any) -> Device:
        device = model_class(*args, **kwargs)
        device.model_key = build_model_key(device.model)
        device.save()
        device_names_write(devices=[device])
        return device


def fit(device: Device, *products: Product, kind: str = "compatible") -> None:
    """Record that the products fit the device."""
    for product in products:
        DeviceCompatibility.objects.create(device=device, product=product, kind=kind)


def create_cross_reference(
    brand: str, part_number: str, product: Product, **values: Any
) -> CrossReference:
    """Record that another brand's part number leads to the product."""
    return CrossReference.objects.create(
        brand=brand,
        part_number=part_number,
        part_key=build_model_key(part_number),
        name_key=normalise(values.get("name", "")),
        product=product,
        **values,
    )
