import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvariantsServer } from './invariants-server.ts';
import { runSubject } from './run-subject.ts';
import { knownValues, type Subject } from './subjects.ts';

/**
 * Tests of what holds for every kind and every verb, whatever the object:
 *
 * - What was accepted is accepted again, in every version, and nothing changes.
 * - A dry run gives the response of the request, and changes nothing.
 * - An update gives what a create of the result gives, a patch what an update gives, an apply what a create gives.
 * - A refused write changes nothing, and its causes name fields of the object.
 * - The managed fields are those of the object.
 */
export function checkInvariants(
  subjects: readonly Subject[],
  { seed, cases }: { readonly seed: number; readonly cases: number },
): void {
  describe(`with seed ${seed}`, () => {
    const known = knownValues(subjects);
    const counts = { accepted: 0, refused: 0 };
    let api: InvariantsServer;
    beforeAll(async () => {
      api = await InvariantsServer.start();
    });
    afterAll(() => api.stop());

    it.each(subjects)('$collection', async (subject) => {
      const { violations, accepted, refused } = await runSubject(api, subject, { seed, cases, known });
      counts.accepted += accepted;
      counts.refused += refused;
      expect(violations).toEqual([]);
    });

    it('was neither too careful nor too wild to show anything', () => {
      const share = counts.accepted / (counts.accepted + counts.refused);
      expect(share).toBeGreaterThan(0.2);
      expect(share).toBeLessThan(0.8);
    });
  });
}
