import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvariantsServer } from './invariants-server.ts';
import { runSubject } from './run-subject.ts';
import { knownValues, type Subject } from './subjects.ts';

/**
 * Tests invariants of all kinds and verbs:
 *
 * - An accepted object is accepted again in every version, and writing it back changes nothing.
 * - A dry run has the same response as the request, and changes nothing.
 * - An update has the same result as a create of the new object, a patch the same as an update, an apply the same as a
 *   create.
 * - A rejected write changes nothing, and its causes name fields of the object.
 * - The managed fields match the fields of the object.
 */
export function checkInvariants(
  subjects: readonly Subject[],
  { seed, cases }: { readonly seed: number; readonly cases: number },
): void {
  describe(`the cases of seed ${seed}`, () => {
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

    it('has accepted and rejected many writes', () => {
      const share = counts.accepted / (counts.accepted + counts.refused);
      expect(share).toBeGreaterThan(0.2);
      expect(share).toBeLessThan(0.8);
    });
  });
}
