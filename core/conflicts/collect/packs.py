"""Query packs: the queries of a domain, in four groups, from YAML (paper 004, appendix G.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from core.conflicts.collect.query import Query
from core.conflicts.collect.syntax import SyntaxFault, check_europepmc, read, to_europepmc
from core.errors import InputError
from core.formats.assemble import told
from core.formats.rows import shown

FOLDER = Path(__file__).parents[3] / "data" / "queries"
MAX_BYTES = 1 << 20


class Group(StrEnum):
    """What a query is for, in this order."""

    BROAD_RECALL = "broad_recall"
    """The domain's literature at large."""
    CONTRADICTION = "contradiction"
    """Words of conflict, failure to replicate, debate."""
    OUTCOME_COMPARISON = "outcome_comparison"
    """Studies that weigh one thing against another on an outcome."""
    CONTEXT_SENSITIVE = "context_sensitive"
    """What holds in one setting, population or assay and not in another."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    since: int | None = Field(default=None, ge=1700, le=2200)
    """First year of publication."""
    until: int | None = Field(default=None, ge=1700, le=2200)
    """Last year of publication."""

    @model_validator(mode="after")
    def _years_in_order(self) -> Self:
        if self.since is not None and self.until is not None and self.since > self.until:
            raise ValueError(f"since {self.since} is after until {self.until}")
        return self


class PackQuery(_Model):
    """One query. Years of its own go before those of the pack."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,63}$")
    pubmed: str
    """In PubMed's syntax."""
    europepmc: str | None = None
    """In Europe PMC's; left out: translated from `pubmed`."""
    most: int | None = Field(default=None, ge=1)
    """Articles wanted at most."""

    @model_validator(mode="after")
    def _is_well_formed(self) -> Self:
        try:
            read(self.pubmed)
            if self.europepmc is None:
                to_europepmc(self.pubmed)
        except SyntaxFault as fault:
            raise ValueError(f"pubmed: {fault}") from None
        try:
            if self.europepmc is not None:
                check_europepmc(self.europepmc)
        except SyntaxFault as fault:
            raise ValueError(f"europepmc: {fault}") from None
        return self


class Pack(_Model):
    """The queries of one domain."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    domain: str = Field(min_length=1)
    """What the articles found are of, as `meta.domain`."""
    title: str
    description: str = ""
    groups: dict[str, list[PackQuery]] = Field(min_length=1)

    def queries(
        self, groups: Iterable[str] | None = None, *, most: int | None = None, since: int | None = None
    ) -> list[Query]:
        """The queries of some groups, in the order of the file.

        Args:
            groups: None: all.
            most: articles a query at most, where it does not say so itself.
            since: no article of an earlier year, whatever the pack says.

        Raises:
            InputError: a group that the pack does not have.
        """
        wanted = list(self.groups) if groups is None else list(groups)
        for group in wanted:
            if group not in self.groups:
                raise InputError(
                    f"The pack {self.name} has no group {shown(group)}. It has {', '.join(self.groups)}."
                )
        return [
            Query(
                name=f"{self.name}/{group}/{query.id}",
                pubmed=_one_line(query.pubmed),
                europepmc=_one_line(query.europepmc or to_europepmc(query.pubmed)),
                since=max(filter(None, (query.since or self.since, since)), default=None),
                until=query.until or self.until,
                most=query.most if query.most is not None else most,
                meta={"domain": self.domain},
            )
            for group in dict.fromkeys(wanted)
            for query in self.groups[group]
        ]


def packs() -> dict[str, Path]:
    """Packs that ship with Touchstone, by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.yaml"))}


def load_pack(name_or_path: str | Path) -> Pack:
    """Read a shipped pack by name, or a YAML file.

    Raises:
        InputError: there is none, or it does not follow the form; names the file, the group and the query.
    """
    known = packs()
    path = known.get(str(name_or_path), Path(name_or_path))
    file = shown(path.name)[1:-1]
    if not path.is_file():
        raise InputError(f"There is no query pack {file}. Name one of {', '.join(known)}, or a YAML file.")
    value = _yaml(path, file)
    try:
        pack = Pack.model_validate(value)
    except ValidationError as failure:
        faults = [_sentence(file, value, fault) for fault in failure.errors(include_url=False)]
        raise InputError("\n".join([*faults[:20], "Compare it with those in data/queries."])) from None
    if doubts := _doubles(pack, file):
        raise InputError("\n".join(doubts))
    return pack


def _yaml(path: Path, file: str) -> Any:
    """The file's value. What YAML would take in silence, such as the same group twice, is refused."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"{file} is larger than {MAX_BYTES >> 20} MB, too much for a query pack.")
        text = path.read_text("utf-8")
        if any(isinstance(token, yaml.AliasToken) for token in yaml.scan(text)):
            raise InputError(f"{file} uses YAML aliases (*name), which a pack may not. Write them out.")
        if (root := yaml.compose(text, Loader=yaml.SafeLoader)) is not None:
            _check_keys(root, file)
        return yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise InputError(f"{file}{line}: no valid YAML ({error.problem}). Correct it.") from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{file} is no YAML file in UTF-8 ({type(error).__name__}). Correct it.") from None
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}.") from None


def _check_keys(node: yaml.Node, file: str) -> None:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                line = key.start_mark.line + 1
                raise InputError(f"{file}, line {line}: {shown(str(key.value))} stands twice. Join them.")
            seen.add(key.value)
            _check_keys(value, file)
    elif isinstance(node, yaml.SequenceNode):
        for member in node.value:
            _check_keys(member, file)


def _sentence(file: str, value: Any, fault: Any) -> str:
    """`FILE, group G, query Q, field: cause.`"""
    loc, place = list(fault["loc"]), [file]
    if loc[:1] == ["groups"] and len(loc) > 1:
        place.append(f"group {shown(str(loc[1]))[1:-1]}")
        if len(loc) > 2:
            place.append(f"query {_id(value, loc[1], loc[2])}")
        loc = loc[3:]
    field, cause, _ = told({**fault, "loc": tuple(loc)})
    return f"{', '.join([*place, *([field] if field else [])])}: {cause}."


def _id(value: Any, group: Any, index: Any) -> str:
    try:
        given = value["groups"][group][index]["id"]
    except (KeyError, TypeError, IndexError):
        given = None
    return shown(given)[1:-1] if isinstance(given, str) and given else f"number {int(index) + 1}"


def _doubles(pack: Pack, file: str) -> list[str]:
    """What the form alone cannot tell: unknown groups, and the same id or query twice."""
    known, faults = [group.value for group in Group], []
    ids: dict[str, str] = {}
    texts: dict[str, str] = {}
    for group, queries in pack.groups.items():
        if group not in known:
            faults.append(f"{file}, group {shown(group)[1:-1]}: the groups are {', '.join(known)}.")
        for query in queries:
            place = f"{file}, group {shown(group)[1:-1]}, query {query.id}"
            text = re.sub(r"\W+", " ", query.pubmed).casefold().strip()
            if query.id in ids:
                faults.append(f"{place}: this id stands in group {ids[query.id]}, too.")
            elif text in texts:
                faults.append(f"{place}: the same query as {texts[text]}.")
            ids.setdefault(query.id, group)
            texts.setdefault(text, query.id)
    return faults


def _one_line(text: str) -> str:
    return " ".join(text.split())
