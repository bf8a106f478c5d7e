import { forbiddenValue, invalidValue } from '../../../meta/field-error.ts';
import type { Container } from '../container-types.ts';
import type { PodSpec } from '../pod-types.ts';
import type { WindowsSecurityContextOptions } from '../security-context-types.ts';
import { eachContainer } from './each-container.ts';
import { checkSubdomain, type Errors } from './field-checks.ts';

const maxSpecKibibytes = 64;
const maxDomainLength = 256;
const maxUserLength = 104;
const netBiosName = /^[^\\/:*?|.][^\\/:*?|]{0,14}$/;
const domainName = /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*$/;
const forbiddenCharacters = '"/\\:;|=,+*?<>@[]';

export function validateWindowsOptions(
  options: WindowsSecurityContextOptions | undefined,
  field: string,
  errors: Errors,
): void {
  if (options === undefined) return;
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options;
  if (gmsaCredentialSpecName !== undefined) {
    const at = `${field}.gmsaCredentialSpecName`;
    checkSubdomain(gmsaCredentialSpecName, at, errors);
  }
  if (gmsaCredentialSpec !== undefined) {
    const detail =
      gmsaCredentialSpec === ''
        ? 'gmsaCredentialSpec cannot be an empty string'
        : gmsaCredentialSpec.length > maxSpecKibibytes * 1024
          ? `gmsaCredentialSpec size must be under ${maxSpecKibibytes} KiB`
          : undefined;
    if (detail !== undefined) errors.push(invalidValue(`${field}.gmsaCredentialSpec`, gmsaCredentialSpec, detail));
  }
  if (runAsUserName === undefined) return;
  for (const detail of userNameErrors(runAsUserName)) {
    errors.push(invalidValue(`${field}.runAsUserName`, runAsUserName, detail));
  }
}

/** `DOMAIN\user` or `user`. */
function userNameErrors(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (/\p{Cc}/u.test(name)) return ['runAsUserName cannot contain control characters'];
  const segments = name.split('\\');
  if (segments.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = segments.at(-1)!;
  const domain = segments.length === 2 ? segments[0]! : undefined;
  return [...domainErrors(domain), ...userErrors(user)];
}

function domainErrors(domain: string | undefined): string[] {
  if (domain === undefined) return [];
  const details: string[] = [];
  if (domain.length >= maxDomainLength) {
    details.push(`runAsUserName's Domain length must be under ${maxDomainLength} characters`);
  }
  if (!netBiosName.test(domain) && !domainName.test(domain)) {
    details.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  return details;
}

function userErrors(user: string): string[] {
  if (user === '') return ["runAsUserName's User cannot be empty"];
  const details: string[] = [];
  if (user.length > maxUserLength) {
    details.push(`runAsUserName's User length must not be longer than ${maxUserLength} characters`);
  }
  if (/^[. ]+$/.test(user)) details.push("runAsUserName's User cannot contain only periods or spaces");
  if ([...forbiddenCharacters].some((character) => user.includes(character))) {
    details.push(`runAsUserName's User cannot contain the following characters: ${forbiddenCharacters}`);
  }
  return details;
}

/** If one container is a host process, all containers must be, and the pod must use the host network. */
export function validateHostProcesses(spec: PodSpec, field: string, errors: Errors): void {
  if (!hasWindowsOptions(spec)) return;
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let containers = 0;
  let hostProcesses = 0;
  eachContainer(spec, field, ({ securityContext }, path) => {
    containers++;
    const own = securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(invalidValue(`${path}.securityContext.windowsOptions.hostProcess`, own, detail));
    }
    if (own ?? ofPod) hostProcesses++;
  });
  if (hostProcesses === 0) return;
  if (hostProcesses !== containers) {
    const detail = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(invalidValue(field, '', detail));
  }
  if (!spec.hostNetwork) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    errors.push(invalidValue(`${field}.hostNetwork`, false, detail));
  }
  errors.push(forbiddenValue(field, 'hostProcess containers are disallowed by cluster policy'));
}

function hasWindowsOptions({ securityContext, containers, initContainers, ephemeralContainers }: PodSpec): boolean {
  if (securityContext?.windowsOptions !== undefined) return true;
  const has = (container: Container): boolean => container.securityContext?.windowsOptions !== undefined;
  return !!containers?.some(has) || !!initContainers?.some(has) || !!ephemeralContainers?.some(has);
}
