const pathComponent = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const domainComponent = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(
  `^((?:${domain}/)?${pathComponent}(?:/${pathComponent})*)(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(${digest}))?$`,
);
const identifier = /^[a-f0-9]{64}$/;
const maxNameLength = 255;
const defaultDomainPrefix = 'docker.io/library/';

/** Returns whether the tag is `latest`, or tag and digest are absent. Returns false for an invalid reference. */
export function isLatestImage(image: string): boolean {
  if (identifier.test(image)) return false;
  const slash = image.indexOf('/');
  const host = slash === -1 ? '' : image.slice(0, slash);
  const hasDomain = /[.:]/.test(host) || host === 'localhost' || host.toLowerCase() !== host;
  const match = reference.exec(hasDomain ? image : `docker.io/${image}`);
  if (match === null) return false;
  const [, name = '', tag, imageDigest] = match;
  if ((hasDomain || slash !== -1 ? name.length : defaultDomainPrefix.length + image.length) > maxNameLength)
    return false;
  return tag === undefined ? imageDigest === undefined : tag === 'latest';
}
