"""The inputs of the running example, once. Every number here is invented; the rest is computed."""

from __future__ import annotations

import math

RIVER = "The fisherman repaired his net beside the bank."
MONEY = "The cashier counted the money inside the bank."
OPEN = "The bank flooded after the storm."

# The hand example: the query at bank, and three positions that it may draw on. d_k = d_v = 2.
TOKENS = ("fisherman", "net", "bank")
QUERY = (math.sqrt(2), 0.0)
KEYS = ((2.0, 0.0), (1.0, 1.0), (0.0, 1.0))  # (3, d_k)
VALUES = ((2.0, 0.0), (0.0, 2.0), (1.0, 1.0))  # (3, d_v)
SECOND_HEAD_SCORES = (1.0, 2.0, 0.0)
SECOND_HEAD_VALUES = ((1.0, 1.0), (3.0, 0.0), (0.0, 2.0))  # (3, d_v)

# The end-to-end example: whole sentences, from embedding rows to mixtures. d_model = 4.
# The first three coordinates belong to the word; the last one is left for the position.
EMBEDDINGS = {
    "The": (0.0, 0.0, 0.25, 0.0),
    "the": (0.0, 0.0, 0.0, 0.0),
    "fisherman": (1.0, 0.0, 0.0, 0.0),
    "repaired": (0.5, 0.5, 0.0, 0.0),
    "his": (0.5, 0.0, 0.0, 0.0),
    "net": (0.0, 1.0, 0.0, 0.0),
    "beside": (0.0, 0.0, 0.5, 0.0),
    "bank": (0.0, 0.0, 1.0, 0.0),
    "cashier": (0.0, 2.0, 0.0, 0.0),
    "counted": (0.5, 1.0, -0.5, 0.0),
    "money": (-1.0, 2.0, 0.0, 0.0),
    "inside": (0.0, 0.5, 0.5, 0.0),
    "flooded": (0.5, 0.0, 0.5, 0.0),
    "after": (0.0, 0.0, 0.25, 0.0),
    "storm": (1.0, 0.5, 0.0, 0.0),
    ".": (0.0, 0.0, -0.5, 0.0),
}
# Position p (from 1) adds p times this row.
POSITION_STEP = (0.0, 0.0, 0.0, 0.125)

# One head's parameters. At bank, fisherman and net they give the hand example's query, keys and
# values; the third coordinate of a value (d_v = 3) carries the position along.
W_Q = ((1.0, 0.0), (0.0, 1.0), QUERY, (0.0, 0.0))  # (d_model, d_k)
W_K = (*KEYS, (0.0, 0.0))  # (d_model, d_k)
W_V = (*((*value, 0.0) for value in VALUES), (0.0, 0.0, 1.0))  # (d_model, d_v)

# A second head's parameters, of the same shapes. At bank they give the second head's scores, and
# at the three tokens its values; here the position enters a value with the opposite sign.
SECOND_W_Q = ((0.0, 1.0), (1.0, 0.0), (0.0, math.sqrt(2)), (0.0, 0.0))
SECOND_W_K = (*((1.0, score) for score in SECOND_HEAD_SCORES), (0.0, 0.0))
SECOND_W_V = (*((*value, 0.0) for value in SECOND_HEAD_VALUES), (0.0, 0.0, -1.0))

# The two heads' outputs, concatenated, go through W_O: (heads * d_v, d_model).
W_O = (
    (0.5, 0.0, 0.0, 0.0),
    (0.0, 0.5, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.5),
    (0.0, 0.0, 0.5, 0.0),
    (0.5, -0.5, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.5),
)
# A second layer starts from the first one's results; of its parameters only these are needed.
LAYER_TWO_W_Q = ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (0.0, 0.0))  # (d_model, d_k)
