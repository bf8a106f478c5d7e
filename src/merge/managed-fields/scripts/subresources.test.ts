import { describe, test } from 'vitest';
import { apply, patch, put, runScript, type Step } from '../conformance/script.conformance.ts';

/** Title, steps, and the expected part of the final object. */
type Script = [string, Step[], Record<string, unknown>];

describe('ownership through subresources', () => {
  test.each<Script>([
    [
      'the main resource does not own the status',
      [apply('a', { spec: { name: 'n' }, status: { phase: 'p' } }, 'a: .spec.name')],
      { spec: { name: 'n' }, status: { phase: undefined } },
    ],
    [
      'the status subresource owns only the status',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('c', { spec: { name: 'm' }, status: { phase: 'p' } }, 'a: .spec.name; c/status: .status.phase', {
          subresource: 'status',
        }),
      ],
      { spec: { name: 'n' }, status: { phase: 'p' } },
    ],
    [
      'one manager has an entry for each subresource',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('a', { status: { phase: 'p' } }, 'a: .spec.name; a/status: .status.phase', { subresource: 'status' }),
        apply('a', { spec: { name: 'n', size: 1 } }, 'a/status: .status.phase; a: .spec.name .spec.size'),
      ],
      { spec: { name: 'n', size: 1 }, status: { phase: 'p' } },
    ],
    [
      'conflicts in the status subresource',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('b', { status: { phase: 'p' } }, 'a: .spec.name; b/status: .status.phase', { subresource: 'status' }),
        apply('c', { status: { phase: 'q' } }, 'conflict b/status: .status.phase', { subresource: 'status' }),
        apply('c', { status: { phase: 'q' } }, 'a: .spec.name; c/status: .status.phase', {
          subresource: 'status',
          force: true,
        }),
      ],
      { spec: { name: 'n' }, status: { phase: 'q' } },
    ],
    [
      'fields of the other endpoint do not conflict',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('c', { status: { phase: 'p' } }, 'a: .spec.name; c/status: .status.phase', { subresource: 'status' }),
        apply(
          'b',
          { spec: { size: 1 }, status: { phase: 'q' } },
          'a: .spec.name; c/status: .status.phase; b: .spec.size',
        ),
      ],
      { spec: { name: 'n', size: 1 }, status: { phase: 'p' } },
    ],
    [
      'conditions by type',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply(
          'b',
          { status: { conditions: [{ type: 'A', status: 'T' }] } },
          'a: .spec.name; b/status: .status.conditions[type="A"] .status.conditions[type="A"].status .status.conditions[type="A"].type',
          { subresource: 'status' },
        ),
        apply(
          'c',
          { status: { conditions: [{ type: 'B', status: 'T' }] } },
          'a: .spec.name; b/status: .status.conditions[type="A"] .status.conditions[type="A"].status .status.conditions[type="A"].type; c/status: .status.conditions[type="B"] .status.conditions[type="B"].status .status.conditions[type="B"].type',
          { subresource: 'status' },
        ),
        apply(
          'b',
          { status: {} },
          'a: .spec.name; c/status: .status.conditions[type="B"] .status.conditions[type="B"].status .status.conditions[type="B"].type; b/status: .status',
          { subresource: 'status' },
        ),
      ],
      { spec: { name: 'n' }, status: { conditions: [{ type: 'B', status: 'T', since: null }] } },
    ],
    [
      'an update through the status subresource',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        apply('b', { status: { phase: 'p', knots: 3 } }, 'a: .spec.name; b/status: .status.knots .status.phase', {
          subresource: 'status',
        }),
        patch('u', { status: { knots: 4 } }, 'a: .spec.name; b/status: .status.phase; u*/status: .status.knots', {
          subresource: 'status',
        }),
      ],
      { spec: { name: 'n' }, status: { phase: 'p', knots: 4 } },
    ],
    [
      'an update through the main resource does not change the status',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch('u', { status: { knots: 4 } }, 'a: .spec.name; u*/status: .status.knots', { subresource: 'status' }),
        patch(
          'v',
          { spec: { size: 1 }, status: { knots: 5 } },
          'a: .spec.name; u*/status: .status.knots; v*: .spec.size',
        ),
      ],
      { spec: { name: 'n', size: 1 }, status: { knots: 4 } },
    ],
    [
      'entries cannot be rewritten through the status subresource',
      [
        apply('a', { spec: { name: 'n' } }, 'a: .spec.name'),
        patch(
          'u',
          { metadata: { managedFields: [] }, status: { knots: 4 } },
          'a: .spec.name; u*/status: .status.knots',
          { subresource: 'status' },
        ),
      ],
      { spec: { name: 'n' }, status: { knots: 4 } },
    ],
    [
      'the status of a create is not owned',
      [put('u', { spec: { name: 'n' }, status: { phase: 'p' } }, 'u*: .spec.class .spec.name')],
      { spec: { name: 'n' }, status: { phase: undefined } },
    ],
  ])('%s', (_title, steps, result) => {
    runScript(steps, result);
  });
});
