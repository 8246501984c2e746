//! The sign-in page: choose a person of the demo.
import type { FastifyInstance } from 'fastify';
import type { Shop } from '../shop.ts';
import { listPeople, type Person } from '../store/people.ts';
import { choiceIn } from './form.ts';
import { type Html, html } from './html.ts';
import { avatar, page, sendPage } from './layout.ts';
import { personOf, signIn, signOut } from './session.ts';

const HOME: Readonly<Record<Person['role'], string>> = {
  buyer: '/',
  seller: '/orders',
  support: '/support',
};

export function serveSignIn(app: FastifyInstance, shop: Shop): void {
  app.get('/sign-in', (request, reply) => {
    const person = personOf(shop, request);
    const body = signInPage(listPeople(shop.database), person);
    return sendPage(reply, page(shop, person, { title: 'Sign in', body }));
  });
  app.post('/sign-in', (request, reply) => {
    const people = listPeople(shop.database);
    const id = choiceIn(
      request,
      'person',
      people.map((one) => one.id),
    );
    const person = people.find((one) => one.id === id) as Person;
    signIn(shop, reply, person);
    return reply.redirect(HOME[person.role], 303);
  });
  app.post('/sign-out', (_request, reply) => {
    signOut(shop, reply);
    return reply.redirect('/', 303);
  });
}

function signInPage(people: readonly Person[], current: Person | undefined): Html {
  return html`
<h1>Choose a demo account</h1>
<p class="lead">This is a demo, so there are no passwords. Open a private window beside this one,
sign in as a buyer here and as a seller there, and watch both pages update.</p>
<form method="post" action="/sign-in" class="people">${people.map(
    (person) => html`
  <button name="person" value="${person.id}" class="person"${
    person.id === current?.id && html` aria-current="true"`
  }>
    ${avatar(person)}
    <span><strong>${person.name}</strong> <em>${person.role}</em><br>${person.about}</span>
  </button>`,
  )}
</form>
${current && html`<form method="post" action="/sign-out"><button class="quiet">Sign out</button></form>`}`;
}
