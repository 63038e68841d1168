// Round steps for the axis of a chart, and smoothed values.

/** The steps of an axis from below the smallest to above the largest value: three to six of them. */
export function steps(values: number[]): number[] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(most - least, Math.abs(most) / 20, 0.1);
  const power = 10 ** Math.floor(Math.log10(span / 3));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => span / (power * factor) <= 4) ?? 10);
  const first = Math.floor(least / step);
  const last = Math.max(Math.ceil(most / step), first + 1);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(10)));
}

/** For each value the mean of it and those around it, of `window` values at most. */
export function smoothed(values: number[], window: number): number[] {
  const reach = Math.floor(window / 2);
  return values.map((_, i) => {
    const some = values.slice(Math.max(0, i - reach), i + reach + 1);
    return some.reduce((sum, value) => sum + value, 0) / some.length;
  });
}
