/** Where Kubernetes keeps the packages that are not among its plain API groups. */
const packages: Readonly<Record<string, string>> = {
  meta: 'io.k8s.apimachinery.pkg.apis.meta',
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
  apiregistration: 'io.k8s.kube-aggregator.pkg.apis.apiregistration',
  version: 'io.k8s.apimachinery.pkg.version',
};

/** The name under which a type stands in OpenAPI: `core/v1.PodSpec` is `io.k8s.api.core.v1.PodSpec`. */
export function definitionName(typeName: string): string {
  const slash = typeName.indexOf('/');
  const home = typeName.slice(0, slash);
  return `${packageName(home)}.${typeName.slice(slash + 1)}`;
}

/** A custom group is a domain, which is written the other way round. */
function packageName(home: string): string {
  if (home.includes('.')) return home.split('.').reverse().join('.');
  return packages[home] ?? `io.k8s.api.${home}`;
}
