// The natural logarithm, only for idf: WebAssembly has none, and the compiler's own adds 5 KB of tables.

const SQRT2: f64 = 1.4142135623730951;
const LN2: f64 = 0.6931471805599453;

/**
 * ln x for a normal positive x, within 2 units in the last place: x = 2^e * m with m around 1, then ln m = 2 atanh(s) =
 * 2 s (1 + s^2/3 + s^4/5 + ...) for s = (m - 1) / (m + 1), whose absolute value is at most 0.172.
 */
export function ln(x: f64): f64 {
  const bits = reinterpret<u64>(x);
  let e = <i32>(bits >> 52) - 1023;
  let m = reinterpret<f64>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  if (m > SQRT2) {
    m *= 0.5;
    e++;
  }
  const s = (m - 1) / (m + 1);
  const z = s * s;
  let sum: f64 = 0;
  for (let k: f64 = 23; k > 1; k -= 2) sum = z * (sum + 1 / k);
  return <f64>e * LN2 + 2 * s * (1 + sum);
}
