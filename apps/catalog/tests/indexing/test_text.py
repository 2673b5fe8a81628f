"""The tokenizer and the prefix keys of the search index."""

from __future__ import annotations

import re

import pytest

from apps.catalog.indexing.text import (
    build_model_key,
    build_suggest_keys,
    encode_character_tokens,
    encode_query_tokens,
    encode_token,
    encode_tokens,
    normalise,
    words_add,
)


@pytest.mark.parametrize(
    "text", ["卓砚 按动中性笔 0.5mm 黑色", "订书钉 24/6", "Ａ４复印纸 70g 500张/包", "Q8 快干胶"]
)
def test_every_word_of_a_query_is_in_the_index_of_the_same_text(text: str) -> None:
    indexed = set(encode_tokens([text]).split())

    assert set(encode_query_tokens(text)) <= indexed
    assert set(encode_character_tokens(text)) <= indexed


def test_tokens_are_plain_letters_and_digits() -> None:
    assert re.fullmatch(r"[0-9a-z ]+", encode_tokens(["0.5mm 24/6 得力 Ｑ"]))


@pytest.mark.parametrize(
    ("first", "second"), [("0.5", "05"), ("24/6", "246"), ("q", "qq"), ("笔", "q07b14")]
)
def test_different_words_are_different_tokens(first: str, second: str) -> None:
    assert encode_token(first) != encode_token(second)


def test_a_code_is_found_whole_and_in_pieces() -> None:
    assert {"s01", "bk", "s01bk", encode_token("s01-bk")} <= set(encode_tokens(["S01-BK"]).split())


def test_a_brand_of_the_dictionary_is_one_word() -> None:
    words_add(["墨砚岚"])

    assert encode_query_tokens("墨砚岚笔筒")[0] == encode_token("墨砚岚")


@pytest.mark.parametrize("raw", ["ZY-1103", "zy 1103", "ＺＹ_1103", "zy.1103"])
def test_a_model_code_is_compared_without_separators(raw: str) -> None:
    assert build_model_key(raw) == "zy1103"


def test_prefix_keys_are_chinese_pinyin_and_initials_of_every_start() -> None:
    keys = build_suggest_keys(name="按动中性笔 A4", model_code="S-01", code="110001")

    assert keys == {
        "按动中性笔a4",
        "andongzhongxingbia4",
        "adzxba4",
        "中性笔a4",
        "zhongxingbia4",
        "zxba4",
        "a4",
        "s01",
        "110001",
    }


@pytest.mark.parametrize(
    ("raw", "compared"),
    [
        ("70克", "70g"),
        ("2.5 千克", "2.5kg"),
        ("５公斤", "5kg"),
        ("0.5毫米", "0.5mm"),
        ("210x297毫米", "210x297mm"),
        ("30厘米", "30cm"),
        ("500毫升", "500ml"),
        ("4升", "4l"),
        ("20米", "20m"),
        ("14寸", "14寸"),
        ("A5米色", "a5米色"),
        ("3米色", "3米色"),
        ("2升级版", "2升级版"),
    ],
)
def test_a_unit_beside_a_number_is_written_in_latin_letters(raw: str, compared: str) -> None:
    assert normalise(raw) == compared
