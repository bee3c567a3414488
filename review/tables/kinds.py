"""The tables, in the order of the steps that fill them."""

from review.modifications.exchange import EXAMPLES, TEXTS
from review.pairs.exchange import PAIR_VERDICTS, PAIRS
from review.triplets.verdict_exchange import QUERY_VERDICTS

TABLES = {table.key: table for table in (PAIRS, PAIR_VERDICTS, TEXTS, EXAMPLES, QUERY_VERDICTS)}
