//! Routes of Surface B: people, projects and escrow, in the specification's order. Each route calls
//! an operation that Surface A has too, or one on the member of the token.
import { surfaceB } from '@holdfast/contract/surface-b';
import { instantText } from '@holdfast/kernel/clock';
import type { FastifyInstance } from 'fastify';
import type { App } from '../../app/wire.ts';
import { changePassword } from '../../members/account/change-password.ts';
import { connectWallet } from '../../members/account/connect-wallet.ts';
import { issueWalletChallenge } from '../../members/account/issue-wallet-challenge.ts';
import type { MemberApp } from '../../members/account/log-in.ts';
import { logIn } from '../../members/account/log-in.ts';
import { listBalances, listTransactions, listWallets } from '../../members/account/read-account.ts';
import { registerMember } from '../../members/account/register-member.ts';
import { resetPassword } from '../../members/account/reset-password.ts';
import { revokeTokens } from '../../members/account/revoke-tokens.ts';
import { createProject } from '../../members/projects/create-project.ts';
import { fundProject } from '../../members/projects/fund-project.ts';
import { listProjects } from '../../members/projects/list-projects.ts';
import { releaseProject } from '../../members/projects/release-project.ts';
import { countAttempt } from '../http/attempts.ts';
import { deviceCookie } from '../http/device-cookie.ts';
import { addressBucket } from '../http/rate-limit.ts';
import { Surface } from '../http/serve.ts';
import { readNumber } from './number-money.ts';
import {
  balanceEntryView,
  escrowView,
  historyLineView,
  paginationView,
  projectView,
  releasedView,
  walletLinkView,
  walletView,
} from './views.ts';

export function serveSurfaceB(http: FastifyInstance, app: App & MemberApp): void {
  const surface = new Surface(http, '', app.clock);
  memberRoutes(surface, app);
  moneyRoutes(surface, app);
  walletRoutes(surface, app);
  projectRoutes(surface, app);
}

function memberRoutes(surface: Surface, app: App & MemberApp): void {
  surface.serve(surfaceB.register, {
    run: (call, { body, address }) => registerMember(app, call, body, addressBucket(address)),
    respond: ({ id, email, name, token }) => ({
      data: { id, email, name, token },
      cookies: [deviceCookie(app, 'login', email)],
    }),
  });
  surface.serve(surfaceB.logIn, {
    run: async (call, { body, address, cookies }) => {
      const attempt = { flow: 'login', email: body.email, address, cookies } as const;
      return logIn(app, call, body, await countAttempt(app, attempt));
    },
    respond: ({ token, id, email, name }) => ({
      data: { token, user: { id, email, name } },
      cookies: [deviceCookie(app, 'login', email)],
    }),
  });
  surface.serve(surfaceB.logOut, {
    run: (call) => revokeTokens(app, call),
    respond: (at) => ({ data: { logged_out_at: instantText(at) } }),
  });
  surface.serve(surfaceB.changeMemberPassword, {
    run: async (call, { body, address }) => {
      const { id } = call.actor;
      const attempt = { flow: 'login', email: id, address, session: id } as const;
      return changePassword(app, call, body, await countAttempt(app, attempt));
    },
    respond: (at) => ({ data: { changed_at: instantText(at) } }),
  });
  surface.serve(surfaceB.resetMemberPassword, {
    run: (call, { body, address }) => resetPassword(app, call, body, addressBucket(address)),
    respond: (at) => ({ data: { changed_at: instantText(at) } }),
  });
}

function moneyRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceB.listBalances, {
    run: (call) => listBalances(app, call),
    respond: (balances) => ({ data: { balances: balances.map(balanceEntryView) } }),
  });
  surface.serve(surfaceB.listTransactions, {
    run: (call, { query }) => listTransactions(app, call, query),
    respond: (page) => ({
      data: { transactions: page.items.map(historyLineView), pagination: paginationView(page) },
    }),
  });
}

function walletRoutes(surface: Surface, app: App & MemberApp): void {
  surface.serve(surfaceB.connectWallet, {
    run: (call, { body }) => connectWallet(app, call, body),
    respond: (link) => ({ data: walletLinkView(link) }),
  });
  surface.serve(surfaceB.challengeWallet, {
    run: (call, { body }) => issueWalletChallenge(app, call, body.public_key),
    respond: ({ text, expiresAt }) => ({
      data: { challenge: text, expires_at: instantText(expiresAt) },
    }),
  });
  surface.serve(surfaceB.listWallets, {
    run: (call) => listWallets(app, call),
    respond: (links) => ({ data: { wallets: links.map(walletView) } }),
  });
}

function projectRoutes(surface: Surface, app: App): void {
  surface.serve(surfaceB.listProjects, {
    run: (call, { query }) => listProjects(app, call, query),
    respond: (page) => ({
      data: { projects: page.items.map(projectView), pagination: paginationView(page) },
    }),
  });
  surface.serve(surfaceB.createProject, {
    run: async (call, { body: { title, description = '', budget, currency } }) =>
      createProject(app, call, {
        title,
        description,
        budget: readNumber('budget', budget, currency),
      }),
    respond: (project) => ({ data: projectView(project) }),
  });
  surface.serve(surfaceB.initEscrow, {
    run: async (call, { body }) =>
      fundProject(app, call, {
        projectId: body.project_id,
        sellerId: body.seller_id,
        amount: readNumber('amount', body.amount, body.currency),
      }),
    respond: (order) => ({ data: escrowView(order) }),
  });
  surface.serve(surfaceB.releaseEscrow, {
    run: (call, { body }) => releaseProject(app, call, body.escrow_id),
    respond: (order) => ({ data: releasedView(order) }),
  });
}
