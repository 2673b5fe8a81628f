"""The attributes (属性) of a product as a table of names and values on its form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from apps.catalog.models.product import (
    MAX_ATTRIBUTE_NAME,
    MAX_ATTRIBUTE_VALUE,
    MAX_ATTRIBUTES,
)
from apps.catalog.selectors.attributes import (
    UsualAttribute,
    list_attribute_names,
    list_usual_attributes,
)

# The server reads at most this many rows of a form. A form has more rows than attributes, because
# rows may be empty.
MAX_ROWS = 3 * MAX_ATTRIBUTES
# The form ends with this many empty rows.
SPARE_ROWS = 2
Pair = tuple[str, str]


class AttributesWidget(forms.Widget):
    """Inputs `NAME-0-name`, `NAME-0-value` and so on. `usual` are the attributes of the category;
    those that the product lacks are shown with an empty value. `names` are offered for each name.
    """

    template_name = "admin/catalog/attributes.html"
    usual: Sequence[UsualAttribute] = ()
    names: Sequence[str] = ()

    class Media:
        js = ("admin/js/jquery.init.js", forms.Script("office/attributes.js", defer=True))

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        name_value_pairs = list(value.items() if isinstance(value, Mapping) else value or ())
        stated_names = {pair[0] for pair in name_value_pairs}
        name_value_pairs += [
            (usual.name, "") for usual in self.usual if usual.name not in stated_names
        ]
        name_value_pairs += [("", "")] * SPARE_ROWS
        values_by_name = {usual.name: usual.values for usual in self.usual}
        rows = [
            {
                "number": number,
                "name": pair[0],
                "value": pair[1],
                "values": values_by_name.get(pair[0], ()),
            }
            for number, pair in enumerate(name_value_pairs)
        ]
        return {
            **super().get_context(name, value, attrs),
            "rows": rows,
            "names": self.names,
            "max_name": MAX_ATTRIBUTE_NAME,
            "max_value": MAX_ATTRIBUTE_VALUE,
        }

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        # Django's renderer of widgets does not read the templates of the project.
        return render_to_string(self.template_name, self.get_context(name, value, attrs))

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[Pair]:
        """Return the rows that have a value, in their order."""
        pairs = [
            (
                str(data.get(f"{name}-{number}-name") or "").strip(),
                str(data.get(f"{name}-{number}-value") or "").strip(),
            )
            for number in range(MAX_ROWS)
        ]
        return [pair for pair in pairs if pair[1]]

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return f"{name}-0-name" not in data


class AttributesField(forms.Field):
    """Cleaned to a mapping in the order of the rows. A row without a value is left out."""

    widget = AttributesWidget

    def set_category(self, category_id: int | None) -> None:
        """Show the usual attributes of this category, and offer the names of its products."""
        if category_id:
            attributes_widget: Any = self.widget
            attributes_widget.usual = list_usual_attributes(category_id=category_id)
            attributes_widget.names = list_attribute_names(category_id=category_id)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return list((initial or {}).items()) != [tuple(pair) for pair in data or ()]

    def to_python(self, value: Any) -> dict[str, str]:
        """Return the attributes by name. Raises ValidationError for missing, long or repeated
        names.
        """
        attributes: dict[str, str] = {}
        for name, text in value or ():
            if not name:
                raise ValidationError(f"请填写“{text[:MAX_ATTRIBUTE_NAME]}”的属性名")
            if len(name) > MAX_ATTRIBUTE_NAME or len(text) > MAX_ATTRIBUTE_VALUE:
                raise ValidationError(
                    f"属性名最多 {MAX_ATTRIBUTE_NAME} 个字，属性值最多 {MAX_ATTRIBUTE_VALUE} 个字，"
                    f"请缩短“{name[:MAX_ATTRIBUTE_NAME]}”"
                )
            if name in attributes:
                raise ValidationError(f"属性“{name}”填写了两次，请只保留一行")
            attributes[name] = text
        if len(attributes) > MAX_ATTRIBUTES:
            raise ValidationError(f"属性最多 {MAX_ATTRIBUTES} 项，请删减")
        return attributes
