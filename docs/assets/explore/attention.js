// Attention, once, for the browser: the functions, names, rules and errors of
// snippets/attention.py. A test gives both the same thousands of inputs, good and bad.
//
// Arrays are nested lists; tokens are rows; leading dimensions are batches and broadcast. Inside
// this file an array is { shape, data }: its sizes, and its numbers in reading order.

/** @typedef {number[]} Shape */
/** @typedef {{ shape: Shape, data: number[] }} Numbers */
/** @typedef {{ shape: Shape, data: boolean[] }} Mask true = may attend */

/** @typedef {number[][]} Rows with batches, lists of these; checked when it runs */
/** @typedef {boolean[][] | null} MaskRows */

const FAR = 30; // beyond it sums of e^s could overflow, or small weights be lost

export class ValueError extends Error {
  name = "ValueError";
}

/** Scores to weights: e^s over the sum of all e^s, along one axis. @template T @param {T} scores */
export function softmax(scores, axis = -1) {
  const [array] = fit("... n", { scores });
  return /** @type {T} */ (nested(softmaxAlong(array, axisOf(array, axis))));
}

/**
 * Q K^T / sqrt(d_k): (..., n_q, d_k), (..., n_k, d_k) -> (..., n_q, n_k).
 * @param {Rows} queries @param {Rows} keys @returns {Rows}
 */
export function scaled_dot_product_scores(queries, keys) {
  const [q, k] = fit("... n_q d_k, ... n_k d_k", { queries, keys });
  return nested(scaledScores(q, k));
}

/**
 * v . tanh(q W_q + k W_k): (..., n_q, d_query), (..., n_k, d_key) -> (..., n_q, n_k).
 * @param {Rows} queries @param {Rows} keys @param {Rows} w_query @param {Rows} w_key @param {number[]} v
 * @returns {Rows}
 */
export function additive_scores(queries, keys, w_query, w_key, v) {
  const layouts = "... n_q d_query, ... n_k d_key, d_query d_hidden, d_key d_hidden, d_hidden";
  const fitted = fit(layouts, { queries, keys, w_query, w_key, v });
  const ofQueries = project(fitted[0], fitted[2], "queries @ w_query"); // (..., n_q, d_hidden)
  const ofKeys = project(fitted[1], fitted[3], "keys @ w_key"); // (..., n_k, d_hidden)
  const network = fitted[4].data;
  const scores = pairwise(ofQueries, ofKeys, (a, b) => Math.tanh(a + b), network);
  return nested(notOverflown("scores", scores, "v"));
}

/** Row i may use the columns up to and including i. @param {number} n */
export function causal_mask(n) {
  integer("n", n);
  if (n < 1) throw new ValueError(`n must be at least 1, got ${n}: give the number of tokens`);
  return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => j <= i));
}

/**
 * softmax(Q K^T / sqrt(d_k)), row by row; exactly 0 where the mask is false.
 * @param {Rows} queries @param {Rows} keys @param {MaskRows} mask @returns {Rows}
 */
export function attention_weights(queries, keys, mask = null) {
  const [q, k] = fit("... n_q d_k, ... n_k d_k", { queries, keys });
  return nested(weightsOf(q, k, mask));
}

/**
 * softmax(Q K^T / sqrt(d_k)) V -> [output, weights].
 * @param {Rows} queries @param {Rows} keys @param {Rows} values @param {MaskRows} mask @returns {Rows[]}
 */
export function attention(queries, keys, values, mask = null) {
  const [q, k, v] = fit("... n_q d_k, ... n_k d_k, ... n_k d_v", { queries, keys, values });
  return attend(q, k, v, mask).map(nested);
}

/**
 * One attention per head, the outputs concatenated, times W_O -> [output, weights].
 * @param {Rows} x @param {Rows[]} w_q @param {Rows[]} w_k @param {Rows[]} w_v @param {Rows} w_o
 * @param {MaskRows} mask one for all heads @param {Rows | null} context
 */
export function multi_head_attention(x, w_q, w_k, w_v, w_o, mask = null, context = null) {
  const [source, d_context] = context === null ? ["x", "d_model"] : ["context", "d_context"];
  const layouts =
    `... n_q d_model, ... n_k ${d_context}, heads d_model d_k, ` +
    `heads ${d_context} d_k, heads ${d_context} d_v, heads*d_v d_out`;
  const [asks, answers, ...w] = fit(layouts, { x, context: context ?? x, w_q, w_k, w_v, w_o });
  const [asking, answering] = [asks, answers].map(withHeads);
  const queries = project(asking, w[0], "x @ w_q"); // (..., heads, n_q, d_k)
  const keys = project(answering, w[1], `${source} @ w_k`); // (..., heads, n_k, d_k)
  const values = project(answering, w[2], `${source} @ w_v`); // (..., heads, n_k, d_v)
  const scores = [...batchOf(asks, answers), sizeAt(asks, -2), sizeAt(answers, -2)];
  const may = mask === null ? null : withHeads(allowed(mask, scores));
  const [byHead, weights] = attend(queries, keys, values, may); // (..., heads, n_q, d_v)
  const output = product(concatenated(byHead), w[3]); // (..., n_q, d_out)
  return [notOverflown("output", output, "x, w_v or w_o"), weights].map(nested);
}

/** Scores as softmax uses them: the largest moved to 0 if it is far from 0. @param {number[]} scores */
export function within_range(scores) {
  const largest = scores.reduce((a, b) => Math.max(a, b), -Infinity);
  return Math.abs(largest) > FAR ? scores.map((score) => score - largest) : scores;
}

/** @param {Numbers} scores @param {number} axis */
function softmaxAlong({ shape, data }, axis) {
  const n = shape[axis];
  const step = size(shape.slice(axis + 1));
  const weights = new Array(data.length);
  for (let block = 0; block < data.length; block += n * step) {
    for (let start = block; start < block + step; start++) {
      const places = Array.from({ length: n }, (_, k) => start + k * step);
      const exponentials = within_range(places.map((place) => data[place])).map(Math.exp);
      const total = exponentials.reduce((sum, e) => sum + e, 0);
      places.forEach((place, k) => {
        weights[place] = exponentials[k] / total;
      });
    }
  }
  return { shape, data: weights };
}

/** @param {Numbers} queries @param {Numbers} keys */
function scaledScores(queries, keys) {
  const root = Math.sqrt(sizeAt(queries, -1));
  const scores = pairwise(queries, keys, (q, k) => q * k);
  scores.data = scores.data.map((score) => score / root);
  return notOverflown("scores", scores, "queries or keys");
}

/** @param {Numbers} queries @param {Numbers} keys @param {MaskRows | Mask} mask */
function weightsOf(queries, keys, mask) {
  const scores = scaledScores(queries, keys);
  if (mask !== null) {
    const may = "data" in Object(mask) ? /** @type {Mask} */ (mask) : allowed(mask, scores.shape);
    const spread = spreadOut(may, scores.shape);
    // Before softmax, so that the rest sums to one.
    scores.data = scores.data.map((score, i) => (spread[i] ? score : -Infinity));
  }
  return softmaxAlong(scores, scores.shape.length - 1);
}

/** @param {Numbers} queries @param {Numbers} keys @param {Numbers} values @param {MaskRows | Mask} mask */
function attend(queries, keys, values, mask) {
  const weights = weightsOf(queries, keys, mask);
  return [notOverflown("output", product(weights, values), "values"), weights];
}

/** @param {Numbers} tokens @param {Numbers} weights @param {string} name */
function project(tokens, weights, name) {
  return notOverflown(`(${name})`, product(tokens, weights), name.replace("@", "or"));
}

/**
 * Every row of one with every row of the other: the sum of combine(a, b), times factors if given.
 * @param {Numbers} one @param {Numbers} other
 * @param {(a: number, b: number) => number} combine @param {number[] | null} factors
 */
function pairwise(one, other, combine, factors = null) {
  const d = sizeAt(one, -1);
  return byMatrix(one, other, [sizeAt(one, -2), sizeAt(other, -2)], (a, b, i, j) => {
    let sum = 0;
    for (let c = 0; c < d; c++) {
      const term = combine(one.data[a + i * d + c], other.data[b + j * d + c]);
      sum += factors ? term * factors[c] : term;
    }
    return sum;
  });
}

/** A @ B over the last two dimensions, the others broadcast. @param {Numbers} left @param {Numbers} right */
function product(left, right) {
  const [n, m] = [sizeAt(left, -1), sizeAt(right, -1)];
  return byMatrix(left, right, [sizeAt(left, -2), m], (a, b, i, j) => {
    let sum = 0;
    for (let c = 0; c < n; c++) sum += left.data[a + i * n + c] * right.data[b + c * m + j];
    return sum;
  });
}

/**
 * Fill (rows, columns) of each pair of matrices; entry() gets where the two start, and i, j.
 * @param {Numbers} one @param {Numbers} other @param {Shape} size
 * @param {(a: number, b: number, i: number, j: number) => number} entry
 */
function byMatrix(one, other, [rows, columns], entry) {
  const batch = batchOf(one, other);
  const data = [];
  for (let k = 0; k < size(batch); k++) {
    const [a, b] = [one, other].map(
      (array) => place(k, batch, array.shape.slice(0, -2)) * size(array.shape.slice(-2)),
    );
    for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) data.push(entry(a, b, i, j));
  }
  return { shape: [...batch, rows, columns], data };
}

/** (..., heads, n, d_v) -> (..., n, heads * d_v). @param {Numbers} byHead */
function concatenated({ shape, data }) {
  const [heads, n, d_v] = shape.slice(-3);
  const joined = data.map((_, at) => {
    const [block, rest] = [Math.floor(at / (heads * n * d_v)), at % (heads * n * d_v)];
    const [token, column] = [Math.floor(rest / (heads * d_v)), rest % (heads * d_v)];
    const [head, c] = [Math.floor(column / d_v), column % d_v];
    return data[((block * heads + head) * n + token) * d_v + c];
  });
  return { shape: [...shape.slice(0, -3), n, heads * d_v], data: joined };
}

/** @template T @param {{ shape: Shape, data: T }} array */
const withHeads = ({ shape, data }) => ({ shape: [...shape.slice(0, -2), 1, ...shape.slice(-2)], data });

/** @param {Shape} shape */
const size = (shape) => shape.reduce((all, n) => all * n, 1);

/** The size of a dimension, counted from the last: -1. @param {Numbers} array @param {number} which */
const sizeAt = ({ shape }, which) => shape[shape.length + which];

/** The batch that two arrays share; fit() has checked it. @param {Numbers[]} arrays */
const batchOf = (...arrays) => broadcast(arrays.map(({ shape }) => shape.slice(0, -2))) ?? [];

/** The shape that all of these broadcast to, or null. @param {Shape[]} shapes */
function broadcast(shapes) {
  const length = Math.max(...shapes.map((shape) => shape.length));
  const common = /** @type {Shape} */ ([]);
  for (let i = 1; i <= length; i++) {
    const sizes = shapes.map((shape) => shape.at(-i) ?? 1).filter((n) => n !== 1);
    if (sizes.some((n) => n !== sizes[0])) return null;
    common.unshift(sizes[0] ?? 1);
  }
  return common;
}

/**
 * Where the k-th entry of a broadcast shape stands in an array of this shape.
 * @param {number} k @param {Shape} common @param {Shape} shape
 */
function place(k, common, shape) {
  let [at, step] = [0, 1];
  for (let i = 1; i <= common.length; i++) {
    const index = k % common[common.length - i];
    k = Math.floor(k / common[common.length - i]);
    const n = shape.at(-i) ?? 1;
    if (n !== 1) at += index * step;
    step *= n;
  }
  return at;
}

/** @param {Mask} mask @param {Shape} common */
const spreadOut = ({ shape, data }, common) =>
  Array.from({ length: size(common) }, (_, k) => data[place(k, common, shape)]);

/** Check a mask against the (..., n_q, n_k) it has to fit. @param {unknown} mask @param {Shape} shape */
function allowed(mask, shape) {
  const array = copy("mask", mask);
  if (array.kind !== "bool") {
    let remedy = "np.array(mask, bool)";
    if (array.kind === "float64") {
      // some libraries add their masks: 0 is True there
      remedy += " if it holds 1 and 0, np.equal(mask, 0) if it holds 0 and -inf";
    }
    if (array.kind === "str") remedy = "an array of True and False, such as causal_mask(n)";
    throw new TypeError(`mask must be boolean (True = may attend), got ${array.kind}; use ${remedy}`);
  }
  const n = array.shape.length;
  const fits = array.shape.every((m, i) => m === 1 || m === shape.at(i - n));
  if (!fits || n < 2 || n > shape.length) {
    throw new ValueError(
      `mask has shape ${tuple(array.shape)} but must broadcast to (..., n_q, n_k) = ` +
        `${tuple(shape)}: give it a row for each query and a column for each key`,
    );
  }
  const columns = array.shape[n - 1];
  for (let row = 0; row * columns < array.data.length; row++) {
    if (array.data.slice(row * columns, (row + 1) * columns).some(Boolean)) continue;
    throw new ValueError(
      `mask row ${index(row, array.shape.slice(0, -1))} is False throughout, so its ` +
        "query has no key left: set at least one entry of the row to True",
    );
  }
  return /** @type {Mask} */ (array);
}

/**
 * Check each argument against its layout and the others; a shared letter is one size.
 * @param {string} layouts @param {Record<string, unknown>} named
 */
function fit(layouts, named) {
  const seen = /** @type {Record<string, { n: number, name: string, shape: Shape }>} */ ({});
  const arrays = layouts.split(", ").map((layout, k) => {
    const [name, value] = Object.entries(named)[k];
    const array = finite(name, value, layout);
    for (const [i, symbol] of layout.split(" ").reverse().entries()) {
      const n = array.shape.at(-1 - i);
      if (symbol === "..." || n === undefined) continue;
      if (symbol === "heads*d_v") seen[symbol] = { ...seen.d_v, n: seen.heads.n * seen.d_v.n };
      seen[symbol] ??= { n, name, shape: array.shape };
      const other = seen[symbol];
      if (n !== other.n) {
        throw new ValueError(
          `${name} has ${symbol} = ${n} but ${other.name} has ${symbol} = ${other.n}: ` +
            `the two must be equal (shapes ${tuple(array.shape)} and ${tuple(other.shape)})`,
        );
      }
    }
    return { ...array, name, batch: layout.includes("...") ? array.shape.slice(0, -2) : null };
  });
  const batches = arrays.flatMap(({ batch }) => (batch ? [batch] : []));
  if (!broadcast(batches)) {
    const names = arrays.flatMap(({ name, batch }) => (batch ? [name] : []));
    throw new ValueError(
      `${names.join(", ")} have batch dimensions ${batches.map(tuple).join(", ")}, ` +
        "which do not broadcast: make them equal or 1",
    );
  }
  return arrays;
}

/** @param {string} name @param {unknown} value */
function copy(name, value) {
  const shape = /** @type {Shape} */ ([]);
  for (let inner = value; Array.isArray(inner); inner = inner[0]) shape.push(inner.length);
  const data = /** @type {unknown[]} */ ([]);
  /** @param {unknown} item @param {number} depth */
  const walk = (item, depth) => {
    if (Array.isArray(item) ? item.length !== shape[depth] : depth < shape.length) {
      throw new ValueError(`${name} is ragged; give all its rows the same length`);
    }
    if (Array.isArray(item)) for (const inner of item) walk(inner, depth + 1);
    else data.push(item);
  };
  walk(value, 0);
  return { shape, data, kind: kindOf(data) };
}

/** The name of NumPy's type for such data. @param {unknown[]} data */
function kindOf(data) {
  const types = new Set(data.map((item) => typeof item));
  if (!types.size) return "float64";
  if ([...types].some((type) => !["string", "boolean", "number"].includes(type))) return "object";
  if (types.has("string")) return "str";
  if (!types.has("number")) return "bool";
  return data.every((item) => Number.isInteger(Number(item))) ? "int64" : "float64";
}

/** @param {string} name @param {unknown} value @param {string} layout */
function finite(name, value, layout) {
  const { shape, data, kind } = copy(name, value);
  if (kind !== "int64" && kind !== "float64") {
    throw new TypeError(`${name} must hold real numbers, got ${kind}; use np.array(${name}, float)`);
  }
  const about = `shape ${tuple(shape)} for (${layout.replaceAll(" ", ", ")})`;
  const dimensions = layout.replace("... ", "").split(" ").length;
  if (shape.length < dimensions || (shape.length > dimensions && !layout.includes("..."))) {
    throw new ValueError(`${name} has ${about}; make it ${dimensions}-D`);
  }
  if (!data.length) throw new ValueError(`${name} is empty, ${about}; make every size at least 1`);
  const numbers = data.map(Number);
  const bad = numbers.findIndex((number) => !Number.isFinite(number));
  if (bad >= 0) {
    let remedy = "make it a finite number";
    // -inf, perhaps, by someone who knows how masks work
    if (name === "scores") remedy += ", or use attention_weights with a mask to leave a key out";
    const shown = String(numbers[bad]).toLowerCase().replace("infinity", "inf");
    throw new ValueError(`${name}[${index(bad, shape)}] is ${shown}; ${remedy}`);
  }
  return { shape, data: numbers };
}

/** @param {string} name @param {Numbers} result @param {string} cause */
function notOverflown(name, result, cause) {
  const over = result.data.findIndex((number) => !Number.isFinite(number));
  if (over < 0) return result;
  const where = `${name}[${index(over, result.shape)}]`;
  throw new ValueError(`${where} overflows float64 (about 1.8e308); scale ${cause} down`);
}

/** @param {Numbers} scores @param {number} axis */
function axisOf({ shape }, axis) {
  integer("axis", axis);
  const n = shape.length;
  if (axis >= -n && axis < n) return axis < 0 ? axis + n : axis;
  throw new ValueError(
    `axis = ${axis} but scores has shape ${tuple(shape)}; use an axis from ${-n} to ${n - 1}`,
  );
}

/** @type {Record<string, string>} */
const PYTHON = { boolean: "bool", string: "str", number: "float", undefined: "NoneType" };

/** @param {string} name @param {unknown} value */
function integer(name, value) {
  if (Number.isInteger(value)) return;
  const type = value === null ? "NoneType" : Array.isArray(value) ? "list" : (PYTHON[typeof value] ?? "dict");
  throw new TypeError(`${name} must be one integer, got ${type}; convert it with int()`);
}

/** @param {Shape} shape */
const tuple = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

/** Write the place of the k-th entry, such as 0, 2. @param {number} k @param {Shape} shape */
function index(k, shape) {
  const at = /** @type {number[]} */ ([]);
  for (const n of [...shape].reverse()) {
    at.unshift(k % n);
    k = Math.floor(k / n);
  }
  return at.join(", ");
}

/** @param {Numbers} array @returns {any} as nested as its shape says */
function nested({ shape, data }) {
  /** @type {(depth: number, start: number, step: number) => any} */
  const part = (depth, start, step) => {
    if (depth === shape.length) return data[start];
    const inner = step / shape[depth];
    return Array.from({ length: shape[depth] }, (_, i) => part(depth + 1, start + i * inner, inner));
  };
  return part(0, 0, data.length);
}
