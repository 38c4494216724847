// SPDX-License-Identifier: GPL-3.0-only
// attach: asks the ranks of a running job for a profile, and imports what they answer.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/progress_lines.h"
#include "app/cli/run_trace.h"
#include "base/parse_number.h"
#include "base/text.h"
#include "profiler/attach/job_page.h"
#include "profiler/attach/profile_import.h"
#include "profiler/io/import/import_folder.h"

namespace lanelab {
namespace {

struct AttachArguments {
  std::string page;
  std::string out;
  std::vector<std::string> rank_addresses;
  std::string max_answer;
  ImportOptions reading;
  AttachRequest request = {};
  bool json = false;
};

Status addRankAddress(AttachRequest& request, const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::optional<int> rank = parseNumber<int>(std::string_view(word).substr(0, equals));
  if (equals == std::string::npos || !rank || *rank < 0)
    return Error::badInput("--rank-address: \"{}\" is not R=HOST:PORT, such as 3=localhost:41233.", word);
  const Result<ServerAddress> address = readServerAddress(std::string_view(word).substr(equals + 1));
  if (!address.ok()) return address.error();
  if (!request.rank_addresses.try_emplace(*rank, *address).second)
    return Error::badInput("--rank-address: rank {} has two addresses. Name one.", *rank);
  return {};
}

Result<AttachRequest> requestOf(const AttachArguments& options) {
  AttachRequest request = options.request;
  const Result<ServerAddress> page = readServerAddress(options.page, kDebugServerPort);
  if (!page.ok()) return page.error();
  request.page = *page;
  for (const std::string& word : options.rank_addresses)
    if (const Status added = addRankAddress(request, word); !added.ok()) return added.error();
  if (!options.max_answer.empty()) request.most_bytes = bytesOfSize(options.max_answer).value_or(request.most_bytes);
  if (const Status fine = checkAttach(request); !fine.ok()) return fine.error();
  return request;
}

void printRanks(const ImportedJob& job, const std::string& out) {
  if (!job.imported) return;
  const ImportCounts& counts = job.imported->counts;
  std::cout << counted(static_cast<std::int64_t>(job.ranks.size()), "rank") << ": " << counts.spans << " spans, "
            << counts.flows << " flows, in " << out << "\n";
}

std::string jobJson(const ImportedJob& job, const AttachRequest& request) {
  using Json = nlohmann::ordered_json;
  Json object{{"seconds", request.seconds}, {"ranks", job.ranks}, {"missing", Json::array()}};
  for (const MissingRank& rank : job.missing)
    object["missing"].push_back({{"rank", rank.rank}, {"reason", rank.reason.message}});
  object["import"] = job.imported ? Json::parse(importSummaryJson(*job.imported)) : Json();
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Error partial(const ImportedJob& job, const std::string& out) {
  std::vector<std::string> missing;
  for (const MissingRank& rank : job.missing) missing.push_back(std::to_string(rank.rank));
  const std::string ranks = (missing.size() == 1 ? "rank " : "ranks ") + joinAnd(missing);
  if (job.ranks.empty()) return Error::failed("No trace was recorded: {} gave none.", ranks);
  return Error::failed("The job is incomplete: {} gave no trace. {} has the others.", ranks, out);
}

Result<RunningJob> foundRanks(const AttachRequest& request, const std::stop_token& stop) {
  ProgressLines lines(ProgressLines::Length::MostlyShort);
  return findRanks(request, {lines.report(), stop});
}

/// Records and imports, with the progress on stderr.
Result<ImportedJob> importedJob(const RunningJob& found, const AttachRequest& request, const AttachArguments& options,
                                const std::stop_token& stop) {
  ProgressLines lines(ProgressLines::Length::Long);
  const Result<ImportLimits> limits = importLimits(options.reading, {lines.report(), stop});
  if (!limits.ok()) return limits.error();
  const Result<AnswerFolder> answers = AnswerFolder::beside(options.out);
  if (!answers.ok()) return answers.error();
  const RemovedAtTheEnd removed(*answers);
  const Result<JobProfile> profile = recordRanks(found, request, answers->path(), {lines.report(), stop});
  if (!profile.ok()) return profile.error();
  return importProfile(*profile, options.out, *limits);
}

Status attach(const AttachArguments& options, const std::stop_token& stop) {
  const Result<AttachRequest> request = requestOf(options);
  if (!request.ok()) return request.error();
  if (const std::string why = whyNoImportInto(options.out); !why.empty()) return Error::badInput(verbatim(why));
  const Result<RunningJob> found = foundRanks(*request, stop);
  if (!found.ok()) return found.error();
  std::cerr << "Connecting to " << addressesOf(*found, request->page) << "\n";
  const Result<ImportedJob> job = importedJob(*found, *request, options, stop);
  if (!job.ok()) return job.error();
  if (job->imported)
    for (const std::string& remark : job->imported->counts.remarks) std::cerr << "Warning: " << remark << "\n";
  for (const MissingRank& rank : job->missing)
    std::cerr << "Warning: rank " << rank.rank << ": " << rank.reason.message << "\n";
  if (options.json)
    std::cout << jobJson(*job, *request) << '\n';
  else
    printRanks(*job, options.out);
  return job->missing.empty() ? Status() : Status(partial(*job, options.out));
}

}  // namespace

void addAttach(const Command& app, CliContext& context) {
  const Command command = app.subcommand("attach", "Record the ranks of a running job, and import their traces");
  command.help(
      {.examples = {"attach localhost:25999 --seconds 5 --out runs/job", "attach node1:25999 --out runs/job --json",
                    "attach localhost:25999 --rank-address 1=localhost:41002 --out runs/job"},
       .notes = "The job calls torch.distributed.debug.start_debug_server() of PyTorch 2.11 or later on each "
                "rank, after init_process_group(). HOST:PORT is its page at rank 0, which names the ranks. "
                "Those on the machine of rank 0 are asked at HOST, so that ssh -L serves; others at the names "
                "on the page, or where --rank-address says. All ranks record at the same time. This command "
                "connects to these addresses, and prints them; no other command connects to a server.",
       .failure = "a rank gave no trace"});
  const auto options = std::make_shared<AttachArguments>();
  command.option("HOST:PORT", options->page, "Page of the job's debug server; port 25999 if left out").required();
  command.option("--out DIR", options->out, "Folder to write, new or empty").required();
  command.option("--seconds S", options->request.seconds, "Seconds to record").showDefault();
  command
      .option("--rank-address R=HOST:PORT", options->rank_addresses,
              "Address of the server of rank R, in the place of the one on the page; one value each time")
      .repeatable();
  command.option("--grace S", options->request.grace_s, "Seconds that a rank may take to answer once it has recorded")
      .showDefault();
  command.option("--max-answer SIZE", options->max_answer, "Limit for the trace of a rank (default: 2GiB)")
      .check([](const std::string& size) {
        return bytesOfSize(size) ? std::string()
                                 : "\"" + size + "\" is not a size; write bytes or a unit, such as 4GiB";
      });
  addImportOptions(command, options->reading);
  command.json(options->json, "one JSON object: what was read of each rank, and which ranks are missing");
  chosen(command, context, [options, &context] { return attach(*options, context.stop); });
}

}  // namespace lanelab
