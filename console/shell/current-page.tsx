import { useEffect } from 'preact/hooks';
import { findType, isCatalogLoaded } from '../state/catalog.ts';
import { route } from '../state/router.ts';
import { parseNamespace, parseType } from '../state/routes.ts';
import { TablePage } from '../table/table-page.tsx';
import { Home } from './home.tsx';
import { lazy } from './lazy.tsx';

const AccessPage = lazy(() => import('../access/access-page.tsx').then((module) => module.AccessPage));
const AdmissionPage = lazy(() => import('../admission/admission-page.tsx').then((module) => module.AdmissionPage));
const TypesPage = lazy(() => import('../types/types-page.tsx').then((module) => module.TypesPage));
const ServerPage = lazy(() => import('../server/server-page.tsx').then((module) => module.ServerPage));
const CreatePage = lazy(() => import('../create/create-page.tsx').then((module) => module.CreatePage));
const TimelinePage = lazy(() => import('../timeline/timeline-page.tsx').then((module) => module.TimelinePage));
const ObjectPage = lazy(() => import('../object/object-page.tsx').then((module) => module.ObjectPage));

export function CurrentPage() {
  const { segments, query } = route.value;
  const [first = '', ...rest] = segments;
  const place = segments.join('/');
  useEffect(() => {
    document.title = `${segments.at(-1) ?? 'Keelson'} · Keelson`;
    document.getElementById('content')?.scrollTo(0, 0);
  }, [place]);
  if (first === '') return <Home />;
  if (first === 'resources' || first === 'objects' || (first === 'create' && rest.length > 0)) {
    const type = findType(parseType(rest));
    if (!type) return <Missing isLoading={!isCatalogLoaded.value} what={rest.slice(0, 3).join('/')} />;
    if (first === 'create') return <CreatePage key={place} type={type} />;
    if (first === 'resources') return <TablePage key={`${place}?${query.ns}`} type={type} />;
    if (first === 'objects') {
      return <ObjectPage key={place} type={type} namespace={parseNamespace(rest[3])} name={rest[4] ?? ''} />;
    }
  }
  if (first === 'create') return <CreatePage key={place} type={undefined} />;
  if (first === 'timeline') return <TimelinePage />;
  if (first === 'types') return <TypesPage />;
  if (first === 'admission') return <AdmissionPage />;
  if (first === 'access') return <AccessPage />;
  if (first === 'server') return <ServerPage />;
  return <Missing isLoading={false} what={place} />;
}

function Missing({ isLoading, what }: { isLoading: boolean; what: string }) {
  if (isLoading) return <p class="loading">Loading…</p>;
  return (
    <div class="page">
      <h1>Not found</h1>
      <p class="muted">
        The server has nothing called <code>{what}</code>. If it is a custom resource, it appears here when its
        definition is installed.
      </p>
    </div>
  );
}
