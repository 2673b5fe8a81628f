"""The picture path of a product must name a picture in the storage of the mall."""

from __future__ import annotations

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client

from apps.catalog.models import Product, ProductImage
from apps.catalog.tests.factories import ProductFactory
from apps.common.tenancy import no_scope
from apps.org.tests.office import create_staff, open_office
from tests.contracts.test_stale_forms import open_form

HELD = "products/held.png"
FORM = "以 products/ 开头"


@pytest.fixture
def office(platform: None) -> Client:
    if not default_storage.exists(HELD):
        default_storage.save(HELD, ContentFile(b"picture"))
    return open_office(create_staff("商品"))


def save(client: Client, product: Product, **fields: str) -> str:
    path = f"/admin/catalog/product/{product.pk}/change/"
    form = {**open_form(client, path), **fields}
    with no_scope():
        return client.post(path, form, follow=True).content.decode()


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("products/none.png", "没有路径为“products/none.png”的图片"),
        ("held.png", FORM),
        ("products/../products/held.png", FORM),
        ("invoices/held.png", FORM),
        ("products/held.pdf", FORM),
        ("https://example.com/held.png", FORM),
    ],
)
def test_a_path_of_no_picture_is_refused_for_the_main_and_further_pictures(
    office: Client, path: str, message: str
) -> None:
    product = ProductFactory(image="")
    row = {"images-TOTAL_FORMS": "1", "images-0-path": path, "images-0-position": "2"}

    assert message in save(office, product, image=path)
    assert message in save(office, product, **row)
    assert Product.objects.get(pk=product.pk).image == ""
    assert not ProductImage.objects.exists()


def test_stored_picture_path_is_saved(office: Client) -> None:
    product = ProductFactory(image="")
    save(office, product, image=HELD)

    assert Product.objects.get(pk=product.pk).image == HELD


def test_unchanged_picture_path_does_not_block_another_edit(office: Client) -> None:
    product = ProductFactory(image="products/away.png")
    save(office, product, name="改了名称")

    assert Product.objects.values_list("name", "image").get(pk=product.pk) == (
        "改了名称",
        "products/away.png",
    )
