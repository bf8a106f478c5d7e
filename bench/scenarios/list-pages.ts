import type { Bench } from '../bench.ts';
import { type ConfigMapPopulation, populateConfigMaps } from '../fixtures/config-map-population.ts';
import { sampleConfigMap } from '../fixtures/sample-objects.ts';
import { LoadGenerator } from '../load/load-generator.ts';
import { serialMark } from '../load/load-plan.ts';
import type { Measurement, Scenario } from '../scenario.ts';
import { type Page, PageReader } from '../servers/page-reader.ts';
import { median } from '../statistics.ts';

const pageCount = 200;
const sweeps = { least: 3, max: 10 };
const writerSeconds = 0.5;

/**
 * The cost of a page must not depend on its position: the median of the last tenth of the pages relative to the first.
 */
export const listPagesScenarios: readonly Scenario[] = [
  {
    name: 'list-pages',
    run: async (bench) => {
      const population = await bench.share(populateConfigMaps);
      return [row(population, { name: 'list-pages', while: '' }, await sweep(bench, population))];
    },
  },
  {
    // All pages after the first are read from a revision that is no longer the latest.
    name: 'list-pages-writes',
    run: async (bench) => {
      const population = await bench.share(populateConfigMaps);
      let isOver = false;
      const sweeping = sweep(bench, population).finally(() => {
        isOver = true;
      });
      const [pages, writes] = await Promise.all([sweeping, keepWriting(bench, population, () => isOver)]);
      return [row(population, { name: 'list-pages-writes', while: ', with a writer', writes }, pages)];
    },
  },
];

async function sweep(bench: Bench, { server, listPath, count }: ConfigMapPopulation): Promise<Page[][]> {
  const limit = count / pageCount;
  const endAt = performance.now() + (bench.options.quick ? 3_000 : 10_000);
  const reader = new PageReader(server.target('h2'));
  const pages: Page[][] = [];
  try {
    // The first round is a warm-up for the compiler.
    for (let round = 0; round <= sweeps.max; round++) {
      if (round > sweeps.least && performance.now() > endAt) break;
      const read = await reader.readAll(listPath, limit);
      const items = read.reduce((sum, page) => sum + page.items, 0);
      if (items !== count) throw new Error(`${count} objects, but the pages together have ${items}`);
      if (round > 0) pages.push(read);
    }
  } finally {
    reader.close();
  }
  return pages;
}

/** Changes objects throughout the collection until it is stopped. Returns the number of writes per second. */
async function keepWriting(
  bench: Bench,
  { server, listPath, namePrefix, count }: ConfigMapPopulation,
  isOver: () => boolean,
): Promise<number> {
  const load = await bench.share(LoadGenerator.start);
  const rates: number[] = [];
  for (let round = 0; !isOver(); round++) {
    const { requests, seconds } = await load.run(server.target('h2'), {
      protocol: 'h2',
      connections: 1,
      streams: 4,
      serialsBelow: count,
      limit: { rampSeconds: 0, seconds: writerSeconds },
      request: {
        method: 'PUT',
        path: `${listPath}/${namePrefix}-${serialMark}`,
        body: sampleConfigMap(namePrefix, `round-${round}`),
      },
    });
    rates.push(requests / seconds);
  }
  return median(rates);
}

interface RowOptions {
  readonly name: string;
  readonly while: string;
  readonly writes?: number;
}

function row({ count }: ConfigMapPopulation, options: RowOptions, pages: readonly Page[][]): Measurement {
  const tenth = pageCount / 10;
  const first = median(pages.flatMap((read) => read.slice(0, tenth).map(({ ms }) => ms)));
  const last = median(pages.flatMap((read) => read.slice(-tenth).map(({ ms }) => ms)));
  return {
    name: options.name,
    title: `LIST ${pageCount} pages of ${count / pageCount}, last / first${options.while}`,
    unit: 'times',
    better: 'lower',
    ours: last / first,
    goal: { absolute: 1.2 },
    detail: {
      firstMs: first,
      lastMs: last,
      sweepMs: median(pages.map((read) => read.reduce((sum, { ms }) => sum + ms, 0))),
      ...(options.writes !== undefined && { writesPerSecond: options.writes }),
    },
  };
}
