import { byText, type ServedGroup } from './served-groups.ts';

const ownPaths = ['/api', '/apis', '/apis/', '/openapi/v2', '/openapi/v3', '/openapi/v3/', '/version'];

/** The document at `/`: all paths outside the resources. `others` are the paths that other handlers serve. */
export function rootPaths(groups: readonly ServedGroup[], others: readonly string[]): object {
  const served = groups.flatMap(({ name, versions }) => {
    const base = name === '' ? '/api' : `/apis/${name}`;
    return [base, ...versions.map(({ version }) => `${base}/${version}`)];
  });
  return { paths: [...new Set([...ownPaths, ...served, ...others])].sort(byText) };
}
