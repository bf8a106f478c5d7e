import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hrefOf, parseRoute } from './router.ts';
import { parseNamespace, parseType, routes } from './routes.ts';

function parse(href: string) {
  const url = new URL(href, 'https://localhost');
  return parseRoute(url.pathname, url.search);
}

describe('routes', () => {
  it('come back as they were written', () => {
    const segment = fc.string({ minLength: 1 }).filter((text) => text !== '.' && text !== '..');
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 4 }),
        fc.dictionary(fc.string(), fc.string({ minLength: 1 })),
        (segments, query) => {
          expect(parse(hrefOf(segments, query))).toEqual({ segments, query: { ...query } });
        },
      ),
    );
  });

  it('leave out empty values', () => {
    expect(hrefOf(['access'], { ns: undefined, q: '', sort: 'Age' })).toBe('/console/access?sort=Age');
  });

  it('show a broken address as it is', () => {
    expect(parseRoute('/console/resources/%zz', '').segments).toEqual(['resources', '%zz']);
  });

  it.each([
    [{ group: '', version: 'v1', resource: 'pods' }, { namespace: 'a', name: 'b' }, '/console/objects/-/v1/pods/a/b'],
    [{ group: 'x.io', version: 'v2', resource: 'ys' }, { name: 'b:c' }, '/console/objects/x.io/v2/ys/-/b%3Ac'],
  ])('name objects: %j %j', (type, at, href) => {
    expect(routes.object(type, at)).toBe(href);
    const { segments } = parse(href);
    expect(parseType(segments.slice(1))).toEqual(type);
    expect(parseNamespace(segments[4])).toBe('namespace' in at ? at.namespace : undefined);
  });
});
