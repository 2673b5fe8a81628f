"""Save product families (商品族) and their members. `Product.family` repeats the active family of a
product for the lists, so every change of a family or a member goes through this module.

Lock order: category tree, families by key, products by key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import structlog
from django.db import transaction
from django.db.models import Max

from apps.catalog.enums import ChangeKind
from apps.catalog.errors import (
    FamilyAxesIllegal,
    FamilyCategoryDiffers,
    FamilyFull,
    FamilyNotFound,
    FamilyRefused,
    FamilyValueDiffers,
    FamilyValueMissing,
    FamilyValuesTaken,
    ProductInOtherFamily,
    ProductNotFound,
)
from apps.catalog.locks import hold_category_tree, lock_families
from apps.catalog.models import FamilyMember, Product, ProductFamily
from apps.catalog.models.family import KEY_SEPARATOR, MAX_AXES, MAX_MEMBERS
from apps.catalog.models.product import MAX_ATTRIBUTE_NAME, MAX_ATTRIBUTE_VALUE
from apps.catalog.selectors.family_proposals import get_axis_values
from apps.catalog.services.changes import changes_record
from apps.common.audit import act_log

if TYPE_CHECKING:
    from apps.org.models import Account

log = structlog.get_logger(__name__)


def check_axes(axes: Sequence[str]) -> list[str]:
    """Return the trimmed names of the axes.

    Raises:
        FamilyAxesIllegal: there is no name or more than MAX_AXES, or a name is empty, too long or
            repeated.
    """
    names = [axis.strip() for axis in axes]
    is_legal = (
        0 < len(names) <= MAX_AXES
        and len(set(names)) == len(names)
        and all(0 < len(name) <= MAX_ATTRIBUTE_NAME and KEY_SEPARATOR not in name for name in names)
    )
    if not is_legal:
        raise FamilyAxesIllegal(limit=MAX_AXES)
    return names


def get_member_values(
    *, family: ProductFamily, product: Product, typed_values: Mapping[str, str]
) -> list[str]:
    """Return the product's value on each axis: its attribute or its pack, otherwise the given
    value.

    Raises:
        FamilyValueMissing: the product has no value on an axis.
        FamilyValueDiffers: the given value is not the value of the product.
    """
    product_values = get_axis_values(product.pack, product.attributes or {})
    values = []
    for axis in family.axes:
        attribute_value, typed_value = (
            product_values.get(axis, ""),
            typed_values.get(axis, "").strip()[:MAX_ATTRIBUTE_VALUE],
        )
        if attribute_value and typed_value and attribute_value != typed_value:
            raise FamilyValueDiffers(
                product=product.code, axis=axis, value=typed_value, stated=attribute_value
            )
        if not (attribute_value or typed_value):
            raise FamilyValueMissing(product=product.code, axis=axis)
        values.append(
            (attribute_value or typed_value)[:MAX_ATTRIBUTE_VALUE].replace(KEY_SEPARATOR, " ")
        )
    return values


@transaction.atomic
def family_save(*, actor: Account | None, family: ProductFamily) -> ProductFamily:
    """Save a new or changed family and return it. After a change of the axes, the members get
    their values on the new axes from their attributes.

    Raises:
        FamilyRefused: the axes are illegal, or a member does not fit the changed family.
        FamilyNotFound: the family was deleted meanwhile.
    """
    hold_category_tree()
    family.axes = check_axes(family.axes)
    before = None
    if family.pk is not None:
        before = lock_families(family_ids=[family.pk]).get(family.pk)
        if before is None:
            raise FamilyNotFound
    family.save()
    if before is not None:
        _refit_members(family, before)
    changes_record(ChangeKind.PRODUCT, [f"family:{family.code}"])
    log.info("family_save", family=family.code, actor=actor.pk if actor else None)
    return family


def _refit_members(family: ProductFamily, before: ProductFamily) -> None:
    """Compute the values again after a change of the axes, and refresh the family of the products
    after a change of its state.
    """
    members = list(family.members.select_related("product").order_by("position", "product_id"))
    has_new_category = before.category_id != family.category_id
    if before.axes != family.axes or has_new_category:
        for member in members:
            value_by_axis = dict(zip(before.axes, member.values, strict=False))
            check_category(family, member.product)
            member.values = get_member_values(
                family=family, product=member.product, typed_values=value_by_axis
            )
        members_store(family=family, members=members)
    product_families_refresh(families=[family])


def check_category(family: ProductFamily, product: Product) -> None:
    """Raise FamilyCategoryDiffers if the product is in another category than the family."""
    if product.category_id != family.category_id:
        raise FamilyCategoryDiffers(product=product.code, category=family.category.name)


def members_store(*, family: ProductFamily, members: Sequence[FamilyMember]) -> None:
    """Save members of a locked family. The values must be unique within the family.

    Raises:
        FamilyValuesTaken: two products have the same values.
        FamilyFull: the family has more than MAX_MEMBERS products.
    """
    saved = {member.product_id: member for member in members}
    others = family.members.exclude(product__in=saved).select_related("product")
    for member in members:
        member.values_key = KEY_SEPARATOR.join(member.values)
    check_members([*others, *members])
    existing_members = [member for member in members if not member._state.adding]
    # Free the keys first, because members may exchange their values.
    for member in existing_members:
        FamilyMember.objects.filter(pk=member.pk).update(values_key=f"~{member.pk}")
    FamilyMember.objects.bulk_update(
        existing_members, ["family", "values", "values_key", "position"], batch_size=MAX_MEMBERS
    )
    FamilyMember.objects.bulk_create([member for member in members if member._state.adding])


def check_members(members: Sequence[FamilyMember]) -> None:
    """Check the members of one family together.

    Raises:
        FamilyValuesTaken: two products have the same values.
        FamilyFull: there are more than MAX_MEMBERS products.
    """
    member_by_values: dict[tuple[str, ...], FamilyMember] = {}
    for member in members:
        other = member_by_values.setdefault(tuple(member.values), member)
        if other is not member:
            raise FamilyValuesTaken(
                product=member.product.code,
                other=other.product.code,
                values=" ".join(member.values),
            )
    if len(members) > MAX_MEMBERS:
        raise FamilyFull(limit=MAX_MEMBERS)


def product_families_refresh(*, families: Iterable[ProductFamily]) -> None:
    """Set `Product.family` of all products of the families: the family if it is active, otherwise
    none.
    """
    for family in families:
        ids = list(family.members.values_list("product_id", flat=True))
        locked_products = Product.objects.select_for_update(no_key=True).order_by("pk")
        pks = list(
            (
                locked_products.filter(pk__in=ids) | locked_products.filter(family=family)
            ).values_list("pk", flat=True)
        )
        Product.objects.filter(pk__in=pks).exclude(pk__in=ids).update(family=None)
        Product.objects.filter(pk__in=ids).update(family=family if family.is_active else None)


# The fields of a product that decide whether it fits its family, and its values.
FITTING_FIELDS = frozenset({"attributes", "pack", "category_id"})


def members_refit(*, products: Iterable[Product]) -> None:
    """Compute the values of the memberships of changed products again. A product that no longer
    fits its family leaves it: it has another category, no value on an axis, or the values of
    another member. Changed products may exchange their values.

    Runs in the caller's transaction, after `lock_families_of`. One query if no product has a
    family.
    """
    product_by_id = {product.pk: product for product in products}
    rows = FamilyMember.objects.filter(product__in=list(product_by_id)).select_related(
        "family__category"
    )
    members_by_family: dict[int, list[FamilyMember]] = {}
    for member in rows.order_by("family", "position", "product"):
        member.product = product_by_id[member.product_id]
        members_by_family.setdefault(member.family_id, []).append(member)
    for members in members_by_family.values():
        _refit_changed_members(members[0].family, members)
        changes_record(ChangeKind.PRODUCT, [f"family:{members[0].family.code}"])


def _refit_changed_members(family: ProductFamily, changed_members: Sequence[FamilyMember]) -> None:
    """Store the new values of the changed members that fit the family, and remove the other changed
    members. If a changed member has the values of an unchanged one, the unchanged one stays. If two
    changed members have the same values, the first one stays.
    """
    changed_ids = [member.pk for member in changed_members]
    unchanged_members = list(family.members.exclude(pk__in=changed_ids).select_related("product"))
    fitting_members: list[FamilyMember] = []
    leaving_members: list[FamilyMember] = []
    for member in changed_members:
        try:
            member.values = _get_present_values(family, member)
            check_members([*unchanged_members, *fitting_members, member])
        except FamilyRefused as refusal:
            leaving_members.append(member)
            member.product.family_id = None
            log.info(
                "family_member_left",
                family=family.code,
                product=member.product.code,
                reason=refusal.text,
            )
        else:
            fitting_members.append(member)
    if leaving_members:
        members_remove(keys=[member.pk for member in leaving_members])
    members_store(family=family, members=fitting_members)


def _get_present_values(family: ProductFamily, member: FamilyMember) -> list[str]:
    """Return the member's value on each axis: the value of the product, otherwise the stored value.

    Raises:
        FamilyRefused: the product no longer fits the family.
    """
    check_category(family, member.product)
    product_values = get_axis_values(member.product.pack, member.product.attributes or {})
    stored_values = zip(family.axes, member.values, strict=True)
    values_without_product = {
        axis: value for axis, value in stored_values if not product_values.get(axis)
    }
    return get_member_values(
        family=family, product=member.product, typed_values=values_without_product
    )


def members_remove(*, keys: Iterable[int]) -> None:
    """Delete members of locked families by primary key. Their products remain, without a family."""
    removed = list(keys)
    Product.objects.filter(family_member__in=removed).update(family=None)
    FamilyMember.objects.filter(pk__in=removed).delete()


@transaction.atomic
def family_members_set(
    *, actor: Account | None, family_id: int, values_by_code: Mapping[str, Mapping[str, str]]
) -> list[FamilyMember]:
    """Replace the members of a family and return them in order. The keys are the product codes. A
    missing value comes from the attributes of the product.

    Raises:
        FamilyNotFound: the family does not exist.
        ProductNotFound: a product does not exist.
        FamilyRefused: a product does not fit the family.
    """
    family = _lock_family(family_id)
    products = _lock_products(values_by_code)
    members = []
    for position, (code, typed_values) in enumerate(values_by_code.items()):
        member = _fit_member(family, products[code], typed_values)
        member.position = position
        members.append(member)
    removed_members = family.members.exclude(product__in=products.values()).select_related(
        "product"
    )
    texts_before = [format_member(member) for member in removed_members]
    members_remove(keys=[member.pk for member in removed_members])
    _store_and_log(actor, family, members, removed_texts=texts_before)
    return members


@transaction.atomic
def family_member_add(
    *, actor: Account | None, family_id: int, product_code: str, values: Mapping[str, str]
) -> FamilyMember:
    """Put a product into a family, after the other members. A missing value comes from the
    attributes of the product. The values of a present member change.

    Raises:
        FamilyNotFound: the family does not exist.
        ProductNotFound: the product does not exist.
        FamilyRefused: the product does not fit the family.
    """
    family = _lock_family(family_id)
    product = _lock_products([product_code])[product_code]
    member = _fit_member(family, product, values)
    if member._state.adding:
        last = family.members.aggregate(last=Max("position"))["last"]
        member.position = 0 if last is None else last + 1
    _store_and_log(actor, family, [member])
    return member


@transaction.atomic
def family_member_remove(*, actor: Account | None, family_id: int, product_code: str) -> None:
    """Take a product out of a family.

    Raises:
        FamilyNotFound: the family does not exist.
        ProductNotFound: the product is not in the family.
    """
    family = _lock_family(family_id)
    _lock_products([product_code])
    member = family.members.filter(product__code=product_code).select_related("product").first()
    if member is None:
        raise ProductNotFound
    members_remove(keys=[member.pk])
    _store_and_log(actor, family, [], removed_texts=[format_member(member)])


def format_member(member: FamilyMember) -> str:
    """Return the product code and the values of a member: 110003 红色 1支."""
    return " ".join([member.product.code, *member.values])


def _lock_family(family_id: int) -> ProductFamily:
    """Lock the family and hold the category tree. Raises FamilyNotFound."""
    hold_category_tree()
    family = lock_families(family_ids=[family_id]).get(family_id)
    if family is None:
        raise FamilyNotFound
    return family


def _lock_products(codes: Iterable[str]) -> dict[str, Product]:
    """Lock the products of a locked family and return them by code."""
    code_list = list(codes)
    locked_products = (
        Product.objects.select_for_update(no_key=True).filter(code__in=code_list).order_by("pk")
    )
    products = {product.code: product for product in locked_products}
    if len(products) < len(code_list):
        raise ProductNotFound
    return products


def _fit_member(
    family: ProductFamily, product: Product, typed_values: Mapping[str, str]
) -> FamilyMember:
    """Return the product's membership, new or present, with its values. Saves nothing."""
    check_category(family, product)
    member = FamilyMember.objects.filter(product=product).select_related("family").first()
    if member is None:
        member = FamilyMember(family=family)
    elif member.family_id != family.pk:
        raise ProductInOtherFamily(product=product.code, family=member.family.code)
    member.product = product
    member.values = get_member_values(family=family, product=product, typed_values=typed_values)
    return member


def _store_and_log(
    actor: Account | None,
    family: ProductFamily,
    members: Sequence[FamilyMember],
    *,
    removed_texts: Sequence[str] = (),
) -> None:
    """Save members of a locked family after others were removed, and write the log."""
    members_store(family=family, members=members)
    product_families_refresh(families=[family])
    changes_record(ChangeKind.PRODUCT, [f"family:{family.code}"])
    member_texts = [format_member(member) for member in members]
    if actor is not None:
        act_log(
            subject=family,
            staff=actor,
            changes={"members": ("、".join(removed_texts), "、".join(member_texts))},
        )
    log.info(
        "family_members",
        family=family.code,
        members=len(member_texts),
        removed=len(removed_texts),
        actor=actor.pk if actor else None,
    )


@transaction.atomic
def family_delete(*, actor: Account | None, family: ProductFamily) -> None:
    """Delete a family. Its products remain and are listed one by one."""
    hold_category_tree()
    locked_family = lock_families(family_ids=[family.pk]).get(family.pk)
    if locked_family is None:
        raise FamilyNotFound
    Product.objects.filter(family=locked_family).update(family=None)
    changes_record(ChangeKind.PRODUCT, [f"family:{locked_family.code}"])
    log.info("family_delete", family=locked_family.code, actor=actor.pk if actor else None)
    locked_family.delete()
