import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../faults/random.ts';
import { isLong } from '../is-long.ts';
import { TestApi } from '../wire/api.ts';
import { loadCorpus } from './load-corpus.ts';
import { mutated } from './mutate-object.ts';
import { removeObject, settledObject } from './settled-object.ts';

const corpus = await loadCorpus();
/** The number of cases. For more, run `FUZZ_CASES=1000 npm test -- test/corpus/fuzz.test.ts`. */
const cases = Number(process.env.FUZZ_CASES ?? (isLong ? 60 : 4));
const seed = Number(process.env.FUZZ_SEED ?? 1);

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start({
    runtimeConfig: 'api/all=true',
    // These plugins would need other objects. The test is only about the types.
    disableAdmissionPlugins: ['ServiceAccount', 'PodGroupProtection', 'PodGroupWorkloadExists'],
  });
  await api.post('/api/v1/namespaces', { metadata: { name: 'corpus' } });
});
afterAll(() => api.stop());

describe.each(corpus)('$path', ({ path, valid }) => {
  it('refuses nonsense with a reason and keeps what it takes as it is', async () => {
    const random = createRandom(seed);
    for (let index = 0; index < cases; index++) {
      const { object } = valid[index % valid.length]!;
      const sent = mutated(object, random);
      const { status, body: created } = await api.post(path, sent);
      const context = `${JSON.stringify(sent).slice(0, 2000)} -> ${JSON.stringify(created).slice(0, 500)}`;
      // A policy may reject a valid object (403), and a changed name may already exist (409).
      expect([200, 400, 403, 409, 422], context).toContain(status);
      if (status !== 200) {
        expect(created, context).toMatchObject({ kind: 'Status', status: 'Failure', code: status });
        continue;
      }
      const item = `${path}/${encodeURIComponent(created.metadata.name)}`;
      const body = await settledObject(api, item);
      if (body.metadata.resourceVersion === created.metadata.resourceVersion) expect(body, context).toEqual(created);
      const again = await api.put(item, body);
      expect({ status: again.status, body: again.body }, context).toEqual({ status: 200, body });
      await removeObject(api, item);
    }
  });
});
