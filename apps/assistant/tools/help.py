"""Search the sections of the help and about pages."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache

from apps.catalog.indexing.text import split_query_words
from apps.content.models import ContentPage

# word in questions → word on the pages
PAGE_WORDS = (
    ("logo", "标识 定制"),
    ("印", "印 定制"),
    ("送到", "送达 配送 时间"),
    ("多久", "时间 时效"),
    ("几天", "天 期限"),
    ("送货", "配送 送货"),
    ("仓库", "区域仓 网点"),
    ("在哪", "网点"),
    ("授权书", "授权 证书"),
    ("资质", "授权 证书 材料"),
    ("换", "退换 换货"),
    ("退", "退货 退换"),
    ("不想要", "取消 退货"),
    ("福利", "员工 福利 营销"),
    ("破损", "破损 退换"),
    ("发票", "发票 开票"),
    ("专票", "专票 发票 开票"),
    ("开票", "发票 开票"),
    ("下单", "下单 流程 购物"),
    ("扣款", "扣款 付款 支付"),
    ("扣了钱", "扣款 付款 成功"),
    ("休假", "休假 审批"),
    ("密码", "密码 登录"),
)
STOP_WORDS = """
的 了 吗 呢 我 你 们 我们 你们 是 在 和 有 要 想 怎么 怎样 如何 怎么办
什么 可以 能 能不能 请问 一下 就 都 吧 啊 会 一般
哪 多少 没 不 到 人 做 买 给 支持 提供
"""
STOP = frozenset(STOP_WORDS.split())
BREAK = re.compile(r"^## +", re.MULTILINE)
STEP = re.compile(r"\d+\. ")
FIRST_STEP = re.compile(r"^1\. ", re.MULTILINE)
ASKS_STEPS = re.compile(r"怎么|怎样|如何|步骤|流程|操作|办理|几步")
MIN_SCORE = 2.0
TITLE_WEIGHT = 3.0
HEADING_WEIGHT = 2.0
MAX_EXCERPT_CHARACTERS = 420


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page under one heading, Markdown. The first part has the page's title as its
    heading.
    """

    title: str
    path: str
    heading: str
    text: str

    @property
    def is_lead(self) -> bool:
        """Whether the section comes before the page's first heading."""
        return self.heading == self.title

    @property
    def name(self) -> str:
        """The page's title, and the heading unless it is the lead."""
        return self.title if self.is_lead else f"{self.title}：{self.heading}"


@dataclass(frozen=True, slots=True)
class HelpMatch:
    """The best section, sections of other pages, and the score of the best one."""

    best: Section
    others: tuple[Section, ...]
    score: float


def help_find(*, text: str) -> HelpMatch | None:
    """Return the sections that answer a question, or None if nothing matches. One query."""
    sections = _load_sections()
    question_words = _list_question_words(text)
    if not question_words:
        return None
    weights = _compute_word_weights(sections)
    ranked = sorted(
        (
            (_score_section(section, question_words, weights), -place, section)
            for place, section in enumerate(sections)
        ),
        reverse=True,
    )
    score, _, best = ranked[0]
    if score < MIN_SCORE:
        return None
    others: list[Section] = []
    for other_score, _, section in ranked[1:]:
        if other_score < score / 2 or len(others) == 2:
            break
        if section.path not in {best.path, *(other.path for other in others)}:
            others.append(section)
    return HelpMatch(
        _choose_section_of_page(best, text, sections, question_words, weights), tuple(others), score
    )


def find_help_section(*, path: str, heading: str, text: str) -> Section | None:
    """Return the section of a page whose heading contains the words; without words, the section of
    the page that answers the question best. None if there is no such page. One query.
    """
    sections = _load_sections()
    page_sections = [section for section in sections if section.path == path]
    if not page_sections:
        return None
    matching_sections = [
        section for section in page_sections if heading and heading in section.heading
    ]
    if matching_sections:
        return matching_sections[0]
    weights = _compute_word_weights(sections)
    return _choose_section_of_page(
        page_sections[0], text, sections, _list_question_words(text), weights
    )


def covers(section: Section, text: str) -> bool:
    """Whether a section contains the words of a question, apart from words of the language."""
    head = f"{section.title}\n{section.heading}".casefold()
    content = f"{head}\n{section.text}".casefold()
    words = [
        word for word in split_query_words(text.casefold()) if len(word) > 1 and word not in STOP
    ]
    in_head = sum(word in head for word in words)
    return bool(words) and all(word in content for word in words) and in_head * 3 >= len(words) * 2


def _choose_section_of_page(
    best: Section,
    text: str,
    sections: tuple[Section, ...],
    question_words: frozenset[str],
    weights: dict[str, float],
) -> Section:
    """Return the section to show if a page's lead matches best: its steps if the question asks for
    steps, otherwise the section with the best score.

    Words of the page's title occur in every section and do not distinguish them; if only they
    match, the first section counts.
    """
    page = [section for section in sections if section.path == best.path and not section.is_lead]
    if not best.is_lead or not page:
        return best
    asks_steps = ASKS_STEPS.search(text) is not None
    if asks_steps and all(STEP.match(section.heading) for section in page):
        return replace(
            best, text="\n".join([best.text, "", *(section.heading for section in page)])
        )
    steps = [section for section in page if FIRST_STEP.search(section.text)] if asks_steps else []
    distinct_words = question_words - set(_count_words(best.title))
    return max(steps or page, key=lambda section: _score_section(section, distinct_words, weights))


def _list_question_words(text: str) -> frozenset[str]:
    """Return the words of the question without stop words, and the words of the pages it hints
    at.
    """
    question = text.casefold()
    page_words = " ".join(words for word, words in PAGE_WORDS if word in question)
    return frozenset(
        word
        for word in [*split_query_words(question), *page_words.split()]
        if word not in STOP and len(word) > 0
    )


def _load_sections() -> tuple[Section, ...]:
    """Return the sections of all help pages, cached by the text of the pages. One query."""
    return _split_sections(
        tuple(
            (page.title, page.path, page.summary, page.body) for page in ContentPage.objects.all()
        )
    )


@lru_cache(maxsize=4)
def _split_sections(pages: tuple[tuple[str, str, str, str], ...]) -> tuple[Section, ...]:
    """Return the sections of pages given as title, path, summary and body. The first section of a
    page is its summary.
    """
    sections: list[Section] = []
    for title, path, summary, body in pages:
        introduction, *further_parts = BREAK.split(body)
        sections.append(Section(title, path, title, summary or introduction.strip()))
        for section_text in further_parts:
            heading, _, text = section_text.partition("\n")
            sections += _split_questions(Section(title, path, heading.strip(), text.strip()))
    return tuple(sections)


def _split_questions(section: Section) -> list[Section]:
    """Split a section of questions and answers into one section per question (the bold lines).
    Text before the first question is dropped.
    """
    parts = re.split(r"(?:^|\n\n)\*\*([^*\n]+[？?])\*\*", section.text)
    if len(parts) < 3:
        return [section]
    return [
        Section(section.title, section.path, parts[at], parts[at + 1].strip())
        for at in range(1, len(parts) - 1, 2)
    ]


@lru_cache(maxsize=512)
def _count_words(text: str) -> Counter[str]:
    """Return how often each word occurs in the text."""
    return Counter(
        word
        for line in text.casefold().splitlines()
        for piece in re.split(r"[，。；：、|*\s]", line)
        for word in _cut_words(piece)
    )


def _cut_words(piece: str) -> list[str]:
    return split_query_words(piece) if piece else []


@lru_cache(maxsize=4)
def _compute_word_weights(sections: tuple[Section, ...]) -> dict[str, float]:
    """Return the weight of each word: the rarer it is among the sections, the higher."""
    section_counts: Counter[str] = Counter()
    for section in sections:
        section_counts.update(
            set(_count_words(f"{section.title}\n{section.heading}\n{section.text}"))
        )
    return {word: math.log(1 + len(sections) / number) for word, number in section_counts.items()}


def _score_section(
    section: Section, question_words: frozenset[str], weights: dict[str, float]
) -> float:
    """Return how well a section matches the words of a question. Words in title and heading count
    more.
    """
    title, heading, text = (
        _count_words(section.title),
        _count_words(section.heading),
        _count_words(section.text),
    )
    score = 0.0
    for word in question_words:
        weight = weights.get(word, 0.0) * (1.0 if len(word) > 1 else 0.3)
        place_weight = (
            TITLE_WEIGHT * (word in title) + HEADING_WEIGHT * (word in heading) + (word in text)
        )
        score += weight * place_weight
    return score


def cut_excerpt(section: Section) -> str:
    """Return the section's text, cut at the end of a line if it is long."""
    lines: list[str] = []
    for line in section.text.splitlines():
        if sum(map(len, lines)) + len(line) > MAX_EXCERPT_CHARACTERS and lines:
            break
        lines.append(line)
    return "\n".join(lines).strip()
