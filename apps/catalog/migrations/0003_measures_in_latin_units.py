"""Index again what is written with a Chinese unit: 70克 is now the word 70g."""

from django.db import migrations

from apps.catalog.search.dictionary import dictionary_loaded
from apps.catalog.search.text import normalised, product_tokens, suggest_keys

BATCH = 500


def forwards(apps, schema_editor):
    product, term = apps.get_model("catalog", "Product"), apps.get_model("catalog", "SuggestTerm")
    rows = product.objects.select_related("brand", "l1", "l2", "l3").order_by("pk")
    if not rows.exists():
        return
    dictionary_loaded()
    changed = []
    for row in rows.iterator(chunk_size=BATCH):
        tokens = product_tokens(
            row, brand_names=(row.brand.name, row.brand.english_name), category_names=(row.l1.name, row.l2.name, row.l3.name)
        )
        name = normalised(row.name)[:120]
        if (tokens, name) != (row.search_tokens, row.name_key):
            row.search_tokens, row.name_key = tokens, name
            changed.append(row)
        if len(changed) >= BATCH:
            write(product, term, changed)
            changed = []
    write(product, term, changed)


def write(product, term, changed):
    product.objects.bulk_update(changed, ["search_tokens", "name_key"], batch_size=BATCH)
    term.objects.filter(product_id__in=[row.pk for row in changed]).delete()
    term.objects.bulk_create(
        [
            term(product_id=row.pk, key=key)
            for row in changed
            for key in sorted(suggest_keys(name=row.name, model_code=row.model_code, code=row.code))
        ],
        batch_size=BATCH,
    )


class Migration(migrations.Migration):
    dependencies = [("catalog", "0002_full_text")]

    operations = [migrations.RunPython(forwards, migrations.RunPython.noop)]
