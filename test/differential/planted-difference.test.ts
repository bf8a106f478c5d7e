import { expect, it, onTestFinished } from 'vitest';
import type { NetworkFetch } from '../../src/client/index.ts';
import type { ServerOptions } from '../../src/index.ts';
import type { DifferenceClass } from './classes.ts';
import { reportText } from './report.ts';
import { type Outcome, runDifferential } from './run.ts';
import { overHttp1, startQuiet } from './servers.ts';

async function started(options: ServerOptions = {}): Promise<NetworkFetch> {
  const api = await startQuiet(options);
  const connected = overHttp1(api);
  onTestFinished(async () => {
    connected.close();
    await api.stop();
  });
  return connected;
}

async function compare(first: NetworkFetch, second: NetworkFetch): Promise<Outcome> {
  return runDifferential({ peers: [first, second], seed: 1, cases: 20 });
}

it('finds no difference between equal servers', async () => {
  expect(await compare(await started(), await started())).toMatchObject({ cases: 20, classes: [] });
});

it('classifies another status of new objects, and nothing else', async () => {
  const outcome = await compare(await started(), await started({ postCreateStatus: 201 }));
  const { classes } = outcome;
  expect(classes.length).toBeGreaterThan(5);
  expect(new Set(classes.map(({ verb, place }) => `${verb} ${place}`))).toEqual(new Set(['POST status code']));
  const counts = classes.map(({ count }) => count);
  expect(counts).toEqual(counts.toSorted((one, other) => other - one));
  const { kind, example } = classes[0] as DifferenceClass;
  expect(example.difference).toMatchObject({ left: 200, right: 201 });
  expect(example.exchanges.at(-1)).toMatchObject({ method: 'POST', isCompared: true });
  const text = reportText(outcome, { show: 1 });
  const { path, body } = example.exchanges.at(-1)!;
  expect(text).toContain(`POST ${kind}: status code`);
  expect(text).toContain(`  POST ${path}`);
  expect(text).toContain(JSON.stringify(body));
  expect(text).toContain('  first:  200\n  second: 201\n');
});

it('finds a field that one server changes in its answers, in the objects that have it', async () => {
  const second = await started();
  const planted: NetworkFetch = {
    ...second,
    fetch: async (request) => {
      const response = await second.fetch(request);
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString().replaceAll('"terminationGracePeriodSeconds":30', '"odd":30');
      return { ...response, body: [Buffer.from(text)] as unknown as AsyncIterable<Uint8Array> };
    },
  };
  const { classes } = await runDifferential({ peers: [await started(), planted], seed: 1, cases: 40 });
  const places = classes.map(({ place }) => place.replace(/^items\[\]\./, ''));
  expect(places).toContain('spec.template.spec.odd');
  const related = /odd|terminationGracePeriodSeconds|status code|warnings|^(message|reason|code|details)/;
  expect(places.filter((place) => !related.test(place))).toEqual([]);
});
