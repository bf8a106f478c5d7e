import { type Fields, type Found, hide, isRecord, mapFields } from './hide.ts';
import { type Holder, redactAt } from './secret-holders.ts';

const harmless = new Set(['op', 'path', 'from']);

/** The operations of a JSON patch of an object that holds secrets: where they change something stays, what they put there goes. */
export function redactJsonPatch(operations: readonly unknown[], holder: Holder, found: Found): unknown[] {
  return operations.map((operation) => {
    if (!isRecord(operation)) return hide(operation, found);
    return mapFields(operation, (name, value) => {
      if (name === 'value') return redactAt(pathOf(operation), value, { holder, found });
      return harmless.has(name) ? value : hide(value, found);
    });
  });
}

function pathOf({ path }: Fields): string[] {
  // Nothing is known of what stands nowhere.
  if (typeof path !== 'string' || (path !== '' && !path.startsWith('/'))) return ['?', '?'];
  return path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
