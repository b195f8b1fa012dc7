"""The client for OpenAI-compatible endpoints: asks, repairs, prices, keeps every answer.

    asker       one reply: from the ledger, else by network    endpoint   where, as whom, how much
    sending     attempts, waits, the breaker                     dialect    what an endpoint understands
    wire        one HTTP request, capped, to a peer that may     replies    parse, repair, or say why not
    completion  reading the body                                 quotes     where a quote stands
    prompts     files, data between marks                        ledger     what keeps the calls
    fields      what replies are made of                         batch      requests and answers as files
    prices      table, estimate                                  budget   ceilings in dollars and tokens
    counting    tokens that an endpoint does not report          pace     when to ask again
    together    several questions at the same time

`openai` is loaded by the first request, not by an import.
"""

from core.llm.asker import Asker
from core.llm.batch import Collector, read_batch, write_batch
from core.llm.budget import Budget, Spending
from core.llm.endpoint import Endpoint, is_loopback
from core.llm.faults import Deferred, EndpointError, FailureKind, OverBudget, Paused, ReplyFailure
from core.llm.ledger import Answer, Ledger, Tally
from core.llm.prices import Estimate, Prices, estimate, load_prices
from core.llm.prompts import Prompt, load_prompt
from core.llm.quotes import locate, quoted
from core.llm.replies import Checked
from core.llm.together import together

__all__ = [
    "Answer",
    "Asker",
    "Budget",
    "Checked",
    "Collector",
    "Deferred",
    "Endpoint",
    "EndpointError",
    "Estimate",
    "FailureKind",
    "Ledger",
    "OverBudget",
    "Paused",
    "Prices",
    "Prompt",
    "ReplyFailure",
    "Spending",
    "Tally",
    "estimate",
    "is_loopback",
    "load_prices",
    "load_prompt",
    "locate",
    "quoted",
    "read_batch",
    "together",
    "write_batch",
]
