"""The built-in image descriptor, the vector matrix, and the embedder that a setting selects."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured
from PIL import Image, ImageDraw, ImageEnhance

from apps.search.images.descriptor import Descriptor
from apps.search.images.embedder import get_image_embedder
from apps.search.images.foreground import find_subject
from apps.search.images.matrix import PictureMatrix, pack_vector
from apps.search.tests.api.test_image_search import draw_picture


def get_likeness(first: Image.Image, second: Image.Image) -> float:
    embedder = Descriptor()
    one, many = embedder.describe(first), embedder.compute_query_vectors(second)
    assert one is not None
    assert many is not None
    return float((many @ one).max())


def test_a_vector_has_length_one() -> None:
    vector = Descriptor().describe(draw_picture("box"))
    assert vector is not None
    assert (vector.shape, round(float(np.linalg.norm(vector)), 4)) == (
        (Descriptor.dimensions,),
        1.0,
    )


@pytest.mark.parametrize(
    "altered",
    [
        draw_picture("box", size=90),
        draw_picture("box", ground="#cfe0d8"),
        draw_picture("box").rotate(12, fillcolor="white"),
        draw_picture("box").rotate(90, fillcolor="white"),
        ImageEnhance.Brightness(draw_picture("box")).enhance(0.75),
    ],
    ids=["smaller", "other ground", "turned", "on its side", "darker"],
)
def test_an_altered_picture_stays_more_like_its_own_than_like_another(altered: Image.Image) -> None:
    assert (
        get_likeness(draw_picture("box"), altered)
        > 0.8
        > 0.7
        > get_likeness(draw_picture("disc"), altered)
    )


def test_captions_and_marks_are_no_part_of_the_subject() -> None:
    plain, captioned = draw_picture("box"), draw_picture("box")
    draw = ImageDraw.Draw(captioned)
    draw.rectangle((4, 4, 18, 18), fill="#1f5fa8")
    draw.rectangle((6, 228, 90, 234), fill="#7b8797")
    first, second = find_subject(plain), find_subject(captioned)
    assert first is not None
    assert second is not None
    assert first.box == second.box


@pytest.mark.parametrize("ground", ["white", "#303a48"])
def test_blank_picture_has_no_subject(ground: str) -> None:
    assert find_subject(Image.new("RGB", (300, 200), ground)) is None


@pytest.mark.parametrize("size", [(1, 1), (3, 900), (900, 3), (20, 20)])
def test_a_picture_of_any_shape_is_looked_at(size: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    query_vectors = Descriptor().compute_query_vectors(Image.fromarray(noise))
    assert query_vectors is None or np.isfinite(query_vectors).all()


def test_the_best_fitting_question_counts_and_only_the_wanted_are_scored() -> None:
    rows = np.stack(
        [
            np.frombuffer(pack_vector(row), dtype=np.int8)
            for row in np.eye(4, dtype=np.float32) * 0.3
        ]
    )
    matrix = PictureMatrix("t", "e", np.array([3, 5, 7, 9]), rows)
    ids, scores = matrix.compute_scores(
        np.eye(4, dtype=np.float32)[[1, 2]] * 0.3, np.array([5, 9, 11])
    )
    assert ids.tolist() == [5, 9]
    assert np.allclose(scores, [0.09, 0], atol=0.01)


def test_embedding_model_without_its_runtime_is_refused_with_a_hint(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    settings.IMAGE_EMBEDDER = "/models/clip.onnx"
    with pytest.raises(ImproperlyConfigured, match="install onnxruntime"):
        get_image_embedder()


class Session:
    """A fake model that returns three numbers: the mean of each colour."""

    def __init__(self, _path: str, **_options: Any) -> None:
        pass

    def get_inputs(self) -> list[Any]:
        return [SimpleNamespace(name="pixels", shape=[1, 3, 32, 32])]

    def get_outputs(self) -> list[Any]:
        return [SimpleNamespace(name="vector")]

    def run(self, _names: list[str], given: dict[str, Any]) -> list[Any]:
        return [given["pixels"].mean(axis=(2, 3))]


def test_a_model_of_a_setting_describes_in_place_of_the_built_in_one(
    settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", SimpleNamespace(InferenceSession=Session))
    settings.IMAGE_EMBEDDER = str(tmp_path / "tiny.onnx")
    with pytest.raises(ImproperlyConfigured, match="there is no file"):
        get_image_embedder()
    (tmp_path / "tiny.onnx").write_bytes(b"model")

    embedder = get_image_embedder()
    red = embedder.describe(Image.new("RGB", (50, 80), "red"))
    assert (embedder.name, embedder.dimensions) == ("onnx:tiny:9372c470eead", 3)
    assert red is not None
    assert red.argmax() == 0
