"""Runs of claim pairs: end to end offline and asked, queue by queue, stopped and taken up again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from core.conflicts import STAGES
from core.conflicts.mine import Mining
from core.errors import InputError
from core.llm import EndpointError, load_prices
from core.pipeline import start
from core.pipeline.batch import import_batch
from core.pipeline.status import State, status
from core.records import ConflictType, Document, Origin, Tier
from core.store import Workspace, calls, corpora, open_workspace, pair_tally, pairs, runs, sessions
from core.store.chain import verify
from tests.llm.server import Asked, Fault, completion, scripted_server
from tests.pipeline.conflicts import lab


def different(requests: list[Asked]) -> int:
    return len({json.dumps(asked.body, sort_keys=True) for asked in requests})


def counts(workspace: Workspace) -> pair_tally.PairTally:
    return pair_tally.pair_tally(workspace, "r")


# --- end to end ---------------------------------------------------------------------------------------------


def test_offline_from_articles_to_labelled_pairs(workspace: Workspace) -> None:
    lab.fill(workspace, 40)
    seen: list[tuple[str, int, int]] = []
    report = lab.label(workspace, progress=lambda *told: seen.append(told))
    assert (report.status, report.articles, report.kept) == ("done", 43, 40)
    assert report.left == {"too_short": 1, "doi": 1, "content": 1}
    assert report.claims == 80, "two in each abstract: its result and its conclusion"
    assert report.labels == {"model": 0, "heuristic": report.pairs}
    assert report.pairs > 0
    assert report.digest
    found = counts(workspace)
    assert {d.domain: d.kept for d in found.domains} == {"general": 0, "infection": 20, "oncology": 20}
    assert sum(sum(d.pairs.values()) for d in found.domains) == report.pairs
    assert [part for part, done, total in seen if done == total and part][-1] == "Labelling pairs by rule"
    for pair in pairs.pairs(workspace, "r"):
        assert pair.a.key() < pair.b.key()
        assert pair.a.article_uid != pair.b.article_uid
        assert pair.a.domain == pair.b.domain == pair.domain
    assert verify(workspace).problems == ()


def test_every_article_has_its_record_and_its_normalised_text(workspace: Workspace) -> None:
    ragged = Document("ragged", "Aldorine\u00a0\u00a0reduced mortality  in adults with sepsis by a third.")
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "c", domain="infection")
        list(corpora.insert_passages(db, corpus, [ragged, lab.document(1)]))
    lab.label(workspace, stages=STAGES[:2])
    rows = workspace.db.execute(
        "SELECT p.doc_id, r.verdict, r.payload FROM stage_records r JOIN passages p ON p.id = r.passage_id"
        " WHERE r.stage = 'normalise' ORDER BY r.id"
    ).fetchall()
    assert [(row[0], row[1]) for row in rows] == [("ragged", "kept"), ("art0001", "kept")]
    changed, same = (json.loads(row[2]) for row in rows)
    body, original = workspace.db.execute(
        "SELECT body, original_id FROM texts WHERE id = ?", (changed["text"],)
    ).fetchone()
    assert body == "Aldorine reduced mortality in adults with sepsis by a third."
    assert original is not None
    assert changed["offsets"][-1][3] == len(ragged.text)
    assert "offsets" not in same
    assert (changed["domain"], same["domain"]) == ("infection", "oncology")


def test_the_same_corpus_and_settings_say_the_same(tmp_path: Path) -> None:
    made = []
    for name in ("a", "b"):
        with open_workspace(tmp_path / f"{name}.db") as workspace:
            lab.fill(workspace, 30)
            lab.label(workspace)
            made.append(lab.said(workspace))
    assert made[0] == made[1]
    assert all(made[0])


def test_an_asked_run_has_both_labels_of_every_pair(workspace: Workspace) -> None:
    lab.fill(workspace, 24)
    with scripted_server(lab.scripted) as server:
        report = lab.label(workspace, server.url)
        asked = server.requests
    assert report.status == "done"
    assert report.labels == {"model": report.pairs, "heuristic": report.pairs}
    assert len(asked) == different(asked) == report.pairs
    labels = list(pairs.labels(workspace, "r"))
    by_model = [one for one in labels if one.label.origin is Origin.MODEL]
    assert {one.label.annotator for one in by_model} == {"scripted"}
    assert {one.label.conflict_type for one in by_model} == {
        ConflictType.CONTEXTUAL_CONTRADICTION,
        ConflictType.NO_CONFLICT,
    }
    assert all(one.call_id for one in by_model)
    assert all(one.call_id is None for one in labels if one.label.origin is Origin.HEURISTIC)
    records = Counter(
        row[0] for row in workspace.db.execute("SELECT verdict FROM stage_records WHERE stage = 'annotate'")
    )
    assert sum(records.values()) == 2 * report.pairs
    assert records["repaired"] == report.repaired
    assert sum(counts(workspace).agreement.values()) == report.pairs


def test_an_axis_off_the_schema_is_a_repaired_label(workspace: Workspace) -> None:
    lab.fill(workspace, 36)
    with scripted_server(lab.scripted) as server:
        report = lab.label(workspace, server.url)
    assert report.repaired > 0
    mended = [one.label for one in pairs.labels(workspace, "r") if one.label.repaired]
    assert len(mended) == report.repaired
    assert all("phase of the moon" in " ".join(label.repairs) for label in mended)
    assert all([axis.value for axis in label.axes] == ["population_cohort"] for label in mended)


# --- queues -------------------------------------------------------------------------------------------------


def test_a_queue_at_a_time_and_the_pilot_takes_equally_from_each_domain(workspace: Workspace) -> None:
    lab.fill(workspace, 120)
    with scripted_server(lab.scripted) as server:
        first = lab.label(workspace, server.url, tier=Tier.PILOT)
        found = counts(workspace)
        assert {d.domain: d.pairs.get("pilot") for d in found.domains if d.pairs} == {
            "infection": 50,
            "oncology": 50,
        }
        assert (first.status, len(server.requests)) == ("done", 100)
        assert first.labels == {"model": 100, "heuristic": first.pairs}
        assert first.queued == first.pairs - 100 > 0
        assert "--tier" in (first.message or "")
        assert first.digest is None, "the run is not at its end"
        assert status(workspace, "r").state is State.PAUSED
        of_pilot = {pair.item_id for pair in pairs.pairs(workspace, "r", tier=Tier.PILOT)}
        by_model = {one.item_id for one in pairs.labels(workspace, "r") if one.label.origin is Origin.MODEL}
        assert by_model == of_pilot
        rest = lab.label(workspace, server.url)
        assert rest.status == "done"
        assert rest.labels["model"] == rest.pairs == len(server.requests) == different(server.requests)


# --- what goes wrong ----------------------------------------------------------------------------------------


def test_without_a_usable_answer_the_heuristic_stands_and_the_pair_can_be_tried_again(
    workspace: Workspace,
) -> None:
    lab.fill(workspace, 30)
    with scripted_server(lab.fails_about(lab.HEARSAY)) as server:
        report = lab.label(workspace, server.url)
        assert report.status == "done"
        assert 0 < report.failures < report.pairs
        assert report.labels == {"model": report.pairs - report.failures, "heuristic": report.pairs}
        failed = pair_tally.failed_pairs(workspace, "r")
        assert {one.kind for one in failed.values()} == {"invalid"}
        assert all(one.call for one in failed.values())
        with pytest.raises(InputError, match="is done"):
            lab.label(workspace, server.url)
        before = len(server.requests)
        again = lab.label(workspace, server.url, retry_failed=True)
        assert again.failures == report.failures
        assert len(server.requests) == before, "what was answered, in whatever form, is not paid for again"
    assert again.digest


def test_an_empty_answer_is_a_failure_that_a_later_try_can_mend(workspace: Workspace) -> None:
    lab.fill(workspace, 24)
    silent = {"on": True}

    def answer(body: dict[str, Any]) -> Any:
        about = lab.HEARSAY in json.dumps(lab.data_of(body)).lower()
        return "" if silent["on"] and about else lab.scripted(body)

    with scripted_server(answer) as server:
        ask = lab.endpoint(server.url, backoff=0.001)
        report = lab.label(workspace, server.url, endpoint=ask)
        assert report.failures > 0
        silent["on"] = False
        mended = lab.label(workspace, server.url, endpoint=ask, retry_failed=True)
    assert (mended.status, mended.failures) == ("done", 0)
    assert mended.labels == {"model": mended.pairs, "heuristic": mended.pairs}
    assert mended.digest


def test_a_wrong_key_stops_the_run_and_a_right_one_goes_on(workspace: Workspace) -> None:
    lab.fill(workspace, 24)
    refusing = {"on": True}

    def answer(body: dict[str, Any]) -> Any:
        return Fault(401, {"error": {"message": "bad key"}}) if refusing["on"] else lab.scripted(body)

    with scripted_server(answer) as server:
        with pytest.raises(EndpointError):
            lab.label(workspace, server.url)
        before = counts(workspace)
        assert sum(before.labels(Origin.HEURISTIC).values()) == sum(before.pairs.values()) > 0
        assert status(workspace, "r").state is State.STOPPED
        refusing["on"] = False
        report = lab.label(workspace, server.url)
    assert (report.status, report.failures) == ("done", 0)
    assert report.labels["model"] == report.pairs


def test_the_ceiling_holds_over_all_starts(workspace: Workspace) -> None:
    lab.fill(workspace, 40)
    name, price = next((n, p) for n, p in load_prices().table.items() if p.input > 0)
    with scripted_server(lab.scripted) as server:
        priced = type(lab.endpoint(server.url))(server.url, name, concurrency=2)
        one = (3000 * price.input + 400 * price.output) / 1e6
        """About what a call is expected to cost: a guide and two abstracts in, a label out."""
        report = lab.label(workspace, server.url, endpoint=priced, ceiling=5 * one)
        assert report.status == "stopped"
        assert 0 < report.spent <= 5 * one
        assert report.spent == pytest.approx(calls.spent(workspace, "r"))
        done = lab.label(workspace, server.url, endpoint=priced, ceiling=1000 * one)
        assert done.status == "done"
        assert len(server.requests) == different(server.requests) == done.pairs


def test_a_wish_to_pause_is_heard_in_every_part(workspace: Workspace) -> None:
    lab.fill(workspace, 160)
    for part in ("Reading articles", "Pairing claims", "Labelling pairs by rule"):

        def wish(now: str, done: int, total: int, part: str = part) -> None:
            if now == part and done < total and not sessions.session(workspace, "r").pause:
                sessions.ask_pause(workspace, "r")

        report = lab.label(workspace, progress=wish)
        assert report.status == "paused", part
        assert status(workspace, "r").state is State.PAUSED
    report = lab.label(workspace)
    assert report.status == "done"
    paused = lab.said(workspace)
    lab.label(workspace, run="r2")
    assert lab.said(workspace, "r2") == paused, "a run with breaks says what one without says"


@pytest.mark.parametrize("part", ["Reading articles", "Pairing claims", "Labelling pairs by rule"])
def test_a_wish_to_pause_at_the_end_of_a_part_does_not_end_the_run(workspace: Workspace, part: str) -> None:
    lab.fill(workspace, 12)

    def wish(now: str, done: int, total: int) -> None:
        if now == part:
            sessions.ask_pause(workspace, "r")

    with scripted_server(lab.scripted) as server:
        assert lab.label(workspace, server.url, progress=wish).status == "paused"
        report = lab.label(workspace, server.url)
    assert report.status == "done"
    assert report.labels == {"model": report.pairs, "heuristic": report.pairs}
    assert report.pairs > 0


@pytest.mark.parametrize("stages", [STAGES[:1], STAGES[:2], STAGES[:3], STAGES])
def test_a_run_that_only_had_to_be_closed_is_closed(workspace: Workspace, stages: tuple[str, ...]) -> None:
    lab.fill(workspace, 12)
    digest = lab.label(workspace, stages=stages).digest
    with workspace.write() as db:
        runs.reopen_run(db, "r")  # as a kill before the last write leaves it
    report = lab.label(workspace, stages=stages)
    assert (report.status, report.digest) == ("done", digest)


def answered(batch: Path, answers: Path) -> Path:
    """The file of answers that the scripted model gives to a batch."""
    rows = [
        {
            "custom_id": line["custom_id"],
            "response": {"status_code": 200, "body": completion(lab.scripted(line["body"]))},
            "error": None,
        }
        for line in map(json.loads, batch.read_text("utf-8").splitlines())
    ]
    answers.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return answers


@pytest.mark.parametrize("swapped", [False, True])
def test_a_run_by_files_ends_as_a_run_by_network(workspace: Workspace, tmp_path: Path, swapped: bool) -> None:
    """In one round, though a pair is asked about twice."""
    lab.fill(workspace, 24)
    url, batch = "http://127.0.0.1:9/v1", tmp_path / "b.jsonl"
    report = lab.label(workspace, url, batch_out=batch, swapped=swapped)
    assert (report.status, report.waiting) == ("waiting", report.pairs)
    assert "pairs wait" in (report.message or "")
    asked = [lab.data_of(json.loads(line)["body"]) for line in batch.read_text("utf-8").splitlines()]
    sides = Counter(frozenset((one["a"]["claim"], one["b"]["claim"])) for one in asked)
    assert set(sides.values()) == {1 + swapped}
    assert len(sides) == report.pairs
    assert import_batch(workspace, answered(batch, tmp_path / "answers.jsonl")).run == "r"
    done = lab.label(workspace, url, swapped=swapped)
    assert (done.status, done.labels["model"]) == ("done", done.pairs)


def test_a_pair_whose_swapped_answer_differs_is_flagged_in_the_run(workspace: Workspace) -> None:
    """The model takes the side that denies for the first one, so that only some answers differ."""
    lab.fill(workspace, 12)

    def first_denies(body: dict[str, Any]) -> str:
        data = lab.data_of(body)
        said = json.loads(lab.scripted(body))
        if " not " in data["a"]["claim"]:
            said |= {"conflict_type": "no_conflict", "divergence_axes": [], "dominant_confounder": None}
        return json.dumps(said)

    with scripted_server(first_denies) as server:
        report = lab.label(workspace, server.url, swapped=True)
    told = {
        stored.item_id: stored.label
        for stored in pairs.labels(workspace, "r")
        if stored.label.origin == "model"
    }
    differ = {
        pair.item_id
        for pair in pairs.pairs(workspace, "r")
        if (" not " in pair.a.text) != (" not " in pair.b.text)
    }
    swapped = {
        item
        for item, label in told.items()
        if any(repair.startswith("with the sides swapped the answer was ") for repair in label.repairs)
    }
    assert 0 < len(differ) < report.pairs
    assert swapped == differ
    assert all(told[item].repaired for item in swapped)


# --- what must not change, what is refused ------------------------------------------------------------------


def test_changed_inputs_are_refused_with_the_difference(workspace: Workspace) -> None:
    lab.fill(workspace, 12)
    with scripted_server(lab.scripted) as server:
        lab.label(workspace, server.url, tier=Tier.PILOT)
        asked = len(server.requests)
        for changed, told in {
            "mining of neighbours was 20, is 5": {"mining": Mining(neighbours=5)},
            "stages was": {"stages": STAGES[:3]},
            "form was 'asked', is 'offline'": {"endpoint": None, "offline": True},
            "endpoint of temperature was 0.0, is 1.0": {
                "endpoint": lab.endpoint(server.url, temperature=1.0)
            },
            "encoder was": {"encoder": str(lab.ROOT / "core")},
        }.items():
            with pytest.raises(InputError, match=changed if "encoder" not in changed else "encoder"):
                lab.label(workspace, server.url, **told)
        with workspace.write() as db:
            corpus = corpora.corpus(workspace, "c").id
            list(corpora.insert_passages(db, corpus, [lab.document(99)]))
        with pytest.raises(InputError, match="corpus_content was"):
            lab.label(workspace, server.url)
        assert len(server.requests) == asked


@pytest.mark.parametrize("url", ["https://api.example.org/v1", "http://10.0.0.7:8000/v1"])
def test_a_confidential_corpus_is_not_sent_to_another_machine(workspace: Workspace, url: str) -> None:
    lab.fill(workspace, 2, confidential=True)
    with pytest.raises(InputError, match="confidential"):
        lab.label(workspace, url)
    assert runs.list_runs(workspace) == [], "refused before anything began"


def test_claims_of_a_confidential_text_stay_locked_in_every_corpus(workspace: Workspace) -> None:
    lab.fill(workspace, 2)
    with workspace.write() as db:
        secret = corpora.create_corpus(db, "secret", confidential=True)
        list(corpora.insert_passages(db, secret, [lab.document(1)]))
    with pytest.raises(InputError, match=r"holds 1 confidential passage \(.*, marked in secret\)"):
        lab.label(workspace, "https://api.example.org/v1")
    assert runs.list_runs(workspace) == []


def test_settings_that_cannot_be_used_leave_no_run(workspace: Workspace, tmp_path: Path) -> None:
    lab.fill(workspace, 2)
    for told, options in {
        "either an endpoint": {"endpoint": None, "offline": False},
        "Name the first few": {"stages": ("extract",)},
        "no batch": {"batch_out": tmp_path / "b.jsonl"},
        "leave --tier out": {"tier": Tier.PILOT},
    }.items():
        with pytest.raises(InputError, match=told):
            lab.label(workspace, **options)
    assert runs.list_runs(workspace) == []


def test_somebody_else_at_work_on_the_run_is_told(workspace: Workspace) -> None:
    lab.fill(workspace, 2)
    with start.only_runner(workspace, "r"), pytest.raises(InputError, match="another process"):
        lab.label(workspace)


def test_a_corpus_without_claims_ends_without_pairs(workspace: Workspace) -> None:
    with workspace.write() as db:
        corpus = corpora.create_corpus(db, "c")
        plan = Document("x", "We describe the protocol of a study. " * 3)
        list(corpora.insert_passages(db, corpus, [plan]))
    report = lab.label(workspace)
    assert (report.status, report.claims, report.pairs) == ("done", 0, 0)
    assert report.digest
