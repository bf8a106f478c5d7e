/** The packages of Kubernetes outside its plain API groups. */
const packages: Readonly<Record<string, string>> = {
  meta: 'io.k8s.apimachinery.pkg.apis.meta',
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
  apiregistration: 'io.k8s.kube-aggregator.pkg.apis.apiregistration',
  version: 'io.k8s.apimachinery.pkg.version',
};

/** The OpenAPI name of a type: `core/v1.PodSpec` is `io.k8s.api.core.v1.PodSpec`. */
export function definitionName(typeName: string): string {
  const slash = typeName.indexOf('/');
  const home = typeName.slice(0, slash);
  return `${packageName(home)}.${typeName.slice(slash + 1)}`;
}

/** A custom group is a domain, whose labels are reversed. */
function packageName(home: string): string {
  if (home.includes('.')) return home.split('.').reverse().join('.');
  return packages[home] ?? `io.k8s.api.${home}`;
}
