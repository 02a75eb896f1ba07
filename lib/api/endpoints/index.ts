import { defineRegistry } from "../definition/define-endpoint.ts";
import type { Endpoint } from "../definition/endpoint.ts";
import { createToken } from "./account/create-token.ts";
import { readAccount } from "./account/read.ts";
import { revokeOwnKey } from "./account/revoke-key.ts";
import { changeConnectionOfAccount } from "./connections/change.ts";
import { createConnectionOfAccount } from "./connections/create.ts";
import { deleteConnectionOfAccount } from "./connections/delete.ts";
import { listFilesOfConnection } from "./connections/files.ts";
import { listConnectionsOfAccount } from "./connections/list.ts";
import { readConnectionOfAccount } from "./connections/read.ts";
import { testConnectionOfAccount } from "./connections/test.ts";
import { readArchiveInDashboard, readArchiveOfJobs } from "./dashboard/archive.ts";
import { watchAccountJobs } from "./dashboard/events.ts";
import { exportJobs } from "./dashboard/export.ts";
import { exportUsage } from "./dashboard/export-usage.ts";
import { findJobsInDashboard } from "./dashboard/find-jobs.ts";
import { watchJobInDashboard } from "./dashboard/job-events.ts";
import { watchReceiver } from "./dashboard/receiver-events.ts";
import { runInDashboard } from "./dashboard/run.ts";
import { runChainInDashboard } from "./dashboard/run-chain.ts";
import { createUploadInDashboard } from "./dashboard/upload.ts";
import { createDeviceCode } from "./device/create-code.ts";
import { redeemDeviceCode } from "./device/redeem-code.ts";
import { streamEvents } from "./events/stream.ts";
import { readSignedInput } from "./files/input.ts";
import { readSignedOutput } from "./files/output.ts";
import { preflight } from "./files/preflight.ts";
import { readSignedPreview } from "./files/preview.ts";
import { readSignedStep } from "./files/step.ts";
import { receiveWebhook } from "./hooks/receive.ts";
import { receivePut } from "./hooks/receive-put.ts";
import { createImageKey } from "./images/create-key.ts";
import { deleteImageKey } from "./images/delete-key.ts";
import { listImageKeys } from "./images/list-keys.ts";
import { purgeImages } from "./images/purge.ts";
import { readArchive } from "./jobs/archive.ts";
import { cancelJob } from "./jobs/cancel.ts";
import { createChain } from "./jobs/create-chain.ts";
import { deleteJob } from "./jobs/delete.ts";
import { watchJob } from "./jobs/events.ts";
import { listJobs } from "./jobs/list.ts";
import { readOutput } from "./jobs/output.ts";
import { readOutputAt } from "./jobs/outputs.ts";
import { readJob } from "./jobs/read.ts";
import { retryJob } from "./jobs/retry.ts";
import { listSteps } from "./jobs/steps.ts";
import { measureInDashboard } from "./live/measure.ts";
import { previewInDashboard } from "./live/preview.ts";
import { listOperations } from "./operations/list.ts";
import { runOperation } from "./operations/run.ts";
import { readPackageIndexProject } from "./packages/index-project.ts";
import { readPackageIndex } from "./packages/index-root.ts";
import { readPackage } from "./packages/read.ts";
import { readHealth } from "./service/health.ts";
import { readMetricsText } from "./service/metrics.ts";
import { defineDocumentEndpoint } from "./service/openapi.ts";
import { readPdfjsFile } from "./service/pdfjs.ts";
import { readReadiness } from "./service/readiness.ts";
import { readStatus } from "./service/status.ts";
import { readShareCard } from "./shares/card.ts";
import { createShare } from "./shares/create.ts";
import { readSharedFile } from "./shares/file.ts";
import { listSharesOfJob } from "./shares/list.ts";
import { revokeShare } from "./shares/revoke.ts";
import { readArchiveAsVisitor } from "./try-it/archive.ts";
import { watchJobAsVisitor } from "./try-it/job-events.ts";
import { runAsVisitor } from "./try-it/run.ts";
import { createUploadAsVisitor } from "./try-it/upload.ts";
import { appendUpload } from "./tus/append.ts";
import { createTusUpload } from "./tus/create.ts";
import {
  preflightAbortUpload,
  preflightCompleteUpload,
  preflightTusUploads,
  preflightUpload,
  preflightUploadPart,
} from "./tus/preflight.ts";
import { readUploadOffset } from "./tus/read-offset.ts";
import { terminateUpload } from "./tus/terminate.ts";
import { abortUploadParts, abortUploadPartsByPost } from "./upload-parts/abort.ts";
import { completeUpload } from "./upload-parts/complete.ts";
import { sendUploadPart } from "./upload-parts/send-part.ts";
import { createUpload } from "./uploads/create.ts";
import { readUpload } from "./uploads/read.ts";
import { sendUpload } from "./uploads/receive.ts";
import { readUsage } from "./usage/read.ts";
import { changeWebhookEndpoint } from "./webhooks/endpoints/change.ts";
import { createWebhookEndpoint } from "./webhooks/endpoints/create.ts";
import { deleteWebhookEndpoint } from "./webhooks/endpoints/delete.ts";
import { listWebhookEndpoints } from "./webhooks/endpoints/list.ts";
import { readWebhookEndpoint } from "./webhooks/endpoints/read.ts";
import { rotateWebhookEndpointSecret } from "./webhooks/endpoints/rotate-secret.ts";
import { testWebhookEndpoint } from "./webhooks/endpoints/test.ts";
import { listDeliveries } from "./webhooks/list-deliveries.ts";
import { resendDelivery } from "./webhooks/resend.ts";
import { testWebhook } from "./webhooks/test.ts";

export const readDocument = defineDocumentEndpoint(() => endpoints);

/**
 * All endpoints, in the order of the OpenAPI document. A test compares the list with the folders and
 * with the routes. Only the endpoints of NextAuth and Inngest are elsewhere, next to their routes.
 */
export const endpoints: readonly Endpoint[] = defineRegistry([
  runOperation,
  listJobs,
  createChain,
  readJob,
  deleteJob,
  cancelJob,
  retryJob,
  watchJob,
  listSteps,
  streamEvents,
  readOutput,
  readOutputAt,
  readArchive,
  readSignedOutput,
  readSignedStep,
  createUpload,
  sendUpload,
  readUpload,
  createTusUpload,
  readUploadOffset,
  appendUpload,
  terminateUpload,
  sendUploadPart,
  completeUpload,
  abortUploadParts,
  abortUploadPartsByPost,
  createWebhookEndpoint,
  listWebhookEndpoints,
  readWebhookEndpoint,
  changeWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookEndpointSecret,
  testWebhookEndpoint,
  listDeliveries,
  resendDelivery,
  testWebhook,
  createConnectionOfAccount,
  listConnectionsOfAccount,
  readConnectionOfAccount,
  changeConnectionOfAccount,
  deleteConnectionOfAccount,
  testConnectionOfAccount,
  listFilesOfConnection,
  createImageKey,
  listImageKeys,
  deleteImageKey,
  purgeImages,
  readAccount,
  revokeOwnKey,
  createToken,
  createDeviceCode,
  redeemDeviceCode,
  readUsage,
  listOperations,
  readDocument,
  readHealth,
  readReadiness,
  readStatus,
  readMetricsText,
  readPdfjsFile,
  readPackage,
  readPackageIndex,
  readPackageIndexProject,
  preflight,
  preflightUpload,
  preflightTusUploads,
  preflightUploadPart,
  preflightCompleteUpload,
  preflightAbortUpload,
  readSignedInput,
  readSignedPreview,
  receiveWebhook,
  receivePut,
  watchAccountJobs,
  watchJobInDashboard,
  watchReceiver,
  runAsVisitor,
  createUploadAsVisitor,
  watchJobAsVisitor,
  readArchiveAsVisitor,
  readArchiveInDashboard,
  readArchiveOfJobs,
  findJobsInDashboard,
  exportJobs,
  exportUsage,
  runInDashboard,
  runChainInDashboard,
  createUploadInDashboard,
  createShare,
  listSharesOfJob,
  revokeShare,
  readSharedFile,
  readShareCard,
  previewInDashboard,
  measureInDashboard,
]);
