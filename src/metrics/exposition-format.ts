export interface ExpositionFormat {
  readonly contentType: string;
  readonly isOpenMetrics: boolean;
}

const plain: ExpositionFormat = { contentType: 'text/plain; version=0.0.4; charset=utf-8', isOpenMetrics: false };
const openMetricsType = 'application/openmetrics-text';
const openMetricsVersions = ['1.0.0', '0.0.1'];

/** OpenMetrics for clients that prefer it, else the text format of Prometheus, whatever they ask for. */
export function negotiateExposition(accept: string | undefined): ExpositionFormat {
  const ranges = (accept ?? '').split(',').map(parseRange);
  const version = (range: Range): string | undefined =>
    range.type === openMetricsType
      ? openMetricsVersions.find((known) => known === (range.version ?? known))
      : undefined;
  const offered = ranges.filter((range) => version(range) !== undefined || range.type === 'text/plain');
  const best = offered.reduce<Range | undefined>(
    (chosen, range) => (chosen === undefined || range.quality > chosen.quality ? range : chosen),
    undefined,
  );
  if (best === undefined || best.quality <= 0) return plain;
  const chosen = version(best);
  if (chosen === undefined) return plain;
  return { contentType: `${openMetricsType}; version=${chosen}; charset=utf-8`, isOpenMetrics: true };
}

interface Range {
  readonly type: string;
  readonly version: string | undefined;
  readonly quality: number;
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const parameter = (name: string): string | undefined =>
    parameters.find((given) => given.startsWith(`${name}=`))?.slice(name.length + 1);
  const quality = Number(parameter('q') ?? '1');
  return { type, version: parameter('version'), quality: Number.isNaN(quality) ? 0 : quality };
}
