"""Create a family for the products of one brand, third-level category and model, which lists showed
as variants of one article before.
"""

from typing import Any

from django.db import migrations

from apps.catalog.models.family import KEY_SEPARATOR
from apps.catalog.selectors.family_proposals import ProposedProduct, propose_families

BATCH = 500


def forwards(apps: Any, _schema_editor: Any) -> None:
    product_model = apps.get_model("catalog", "Product")
    family_model = apps.get_model("catalog", "ProductFamily")
    member_model = apps.get_model("catalog", "FamilyMember")
    rows = (
        product_model.objects.exclude(model_key="")
        .order_by("pk")
        .values_list("pk", "code", "name", "brand", "l3", "model_key", "pack", "attributes")
    )
    proposed = propose_families(
        ProposedProduct(
            pk=pk,
            code=code,
            name=name,
            article=(brand, l3, model),
            pack=pack,
            attributes=attributes or {},
        )
        for pk, code, name, brand, l3, model, pack, attributes in rows.iterator(BATCH)
    )
    for start in range(0, len(proposed), BATCH):
        batch = proposed[start : start + BATCH]
        families = family_model.objects.bulk_create(
            family_model(
                code=one.code, name=one.name, category_id=one.category_id, axes=list(one.axes)
            )
            for one in batch
        )
        member_model.objects.bulk_create(
            (
                member_model(
                    family=family,
                    product_id=pk,
                    values=list(values),
                    values_key=KEY_SEPARATOR.join(values),
                    position=position,
                )
                for family, one in zip(families, batch, strict=True)
                for position, (pk, values) in enumerate(one.members)
            ),
            batch_size=BATCH,
        )
        for family, one in zip(families, batch, strict=True):
            product_model.objects.filter(pk__in=[pk for pk, _ in one.members]).update(family=family)


class Migration(migrations.Migration):
    dependencies = [("catalog", "0006_families")]

    operations = [migrations.RunPython(forwards, migrations.RunPython.noop, elidable=True)]
