export interface ExpositionFormat {
  readonly contentType: string;
  readonly isOpenMetrics: boolean;
}

const plainType = 'text/plain; version=0.0.4; charset=utf-8';
const openMetricsType = 'application/openmetrics-text';
const openMetricsVersions = ['1.0.0', '0.0.1'];
/** The escaping schemes for names with special characters. No name has any, so all schemes give the same result. */
const escapings = ['underscores', 'dots', 'values', 'allow-utf-8'];

/** OpenMetrics for clients that prefer it, otherwise the text format of Prometheus. */
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
  const chosen = best === undefined || best.quality <= 0 ? undefined : version(best);
  const type = chosen === undefined ? plainType : `${openMetricsType}; version=${chosen}; charset=utf-8`;
  const escaping = escapings.find((known) => known === best?.escaping) ?? escapings[0];
  return { contentType: `${type}; escaping=${escaping}`, isOpenMetrics: chosen !== undefined };
}

interface Range {
  readonly type: string;
  readonly version: string | undefined;
  readonly escaping: string | undefined;
  readonly quality: number;
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((segment) => segment.trim().toLowerCase());
  const parameter = (name: string): string | undefined =>
    parameters.find((given) => given.startsWith(`${name}=`))?.slice(name.length + 1);
  const quality = Number(parameter('q') ?? '1');
  return {
    type,
    version: parameter('version'),
    escaping: parameter('escaping'),
    quality: Number.isNaN(quality) ? 0 : quality,
  };
}
