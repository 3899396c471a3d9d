#include "core/measure/proportions.h"
#include "core/store/data_identity.h"
#include "core/store/stored_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace attnscope {

namespace {

struct RunPlace {
    int64_t evaluation = 0, dataSet = 0;
    std::string hash, root;
    FolderLayout layout = FolderLayout::Auto;
};

RunPlace placeOf(StoreConnection& connection, int64_t run)
{
    SQLite::Statement query = connection.firstRow(fmt::format("has no run {}", run),
                                                  "SELECT e.id, e.data_set, d.hash, e.data_root FROM run r JOIN "
                                                  "evaluation e ON e.id = r.evaluation JOIN data_set d ON d.id = "
                                                  "e.data_set WHERE r.id = ?",
                                                  run);
    const int64_t dataSet = query.getColumn(1).getInt64();
    return {query.getColumn(0).getInt64(), dataSet, query.getColumn(2).getString(), query.getColumn(3).getString(),
            layoutOf(connection, dataSet)};
}

/// Whether both have the same files in the same order, with labels of the same number, or of the same name: of networks whose classes are
/// in another order.
bool sameSamples(StoreConnection& connection, const RunPlace& a, const RunPlace& b)
{
    const auto shared = [&](int64_t other) {
        return connection.integer("SELECT count(*) FROM file f JOIN class c ON c.data_set = f.data_set AND "
                                  "c.label = f.label JOIN file g "
                                  "ON g.data_set = ? AND g.sample = f.sample AND g.path = f.path JOIN class d ON "
                                  "d.data_set = g.data_set "
                                  "AND d.label = g.label AND d.name = c.name WHERE f.data_set = ?",
                                  other, a.dataSet);
    };
    const char* const files = "SELECT files FROM data_set WHERE id = ?";
    return a.hash == b.hash
           || (shared(b.dataSet) == connection.integer(files, a.dataSet)
               && shared(b.dataSet) == connection.integer(files, b.dataSet));
}

void requireSameData(StoreConnection& connection, int64_t a, int64_t b)
{
    if (placeOf(connection, a).hash != placeOf(connection, b).hash)
        throw StoreError(connection.file().string(), fmt::format("runs {} and {} saw different data", a, b),
                         "compare runs on the same files, labels and order");
}

const char* condition(const SampleQuery& query)
{
    if (!query.reference)
        return query.predictions == PredictionsShown::All ? "1" : "a.rank <> 0";
    constexpr const char* flips[] = {"b.rank = 0 AND a.rank <> 0", "b.rank <> 0 AND a.rank = 0",
                                     "b.rank <> 0 AND a.rank <> 0", "b.answer <> a.answer"};
    return flips[size_t(query.flips)];
}

/// `a` is the run, `b` the reference.
std::string fromWhere(const SampleQuery& query)
{
    std::string sql = " FROM answer a ";
    if (query.reference)
        sql += "JOIN answer b ON b.run = :reference AND b.sample = a.sample ";
    sql += "WHERE a.run = :run AND ";
    sql += condition(query);
    if (query.label)
        sql += " AND a.label = :label";
    if (query.prediction)
        sql += " AND a.answer = :answer";
    return sql;
}

void bindQuery(SQLite::Statement& statement, const SampleQuery& query)
{
    statement.bind(":run", query.run);
    if (query.reference)
        statement.bind(":reference", *query.reference);
    if (query.label)
        statement.bind(":label", *query.label);
    if (query.prediction)
        statement.bind(":answer", *query.prediction);
}

std::optional<SamplePrediction> readPrediction(StoreConnection& connection, int64_t run, int64_t sample)
{
    SQLite::Statement query = connection.statement(
        "SELECT rank, answer, probability, rest FROM answer WHERE run = ? AND sample = ?", run, sample);
    if (!query.executeStep())
        return {};
    return readPredictionColumns(connection, query, 0);
}

std::string pathOf(StoreConnection& connection, const RunPlace& place, int64_t sample)
{
    SQLite::Statement query = connection.firstRow(fmt::format("its data set has no sample {}", sample),
                                                  "SELECT path FROM file WHERE data_set = ? AND sample = ?",
                                                  place.dataSet, sample);
    return openedPath(query.getColumn(0).getString(), baseFolder(place.root, place.layout));
}

/// First class and whether it is correct, of the samples in ascending order.
struct BriefPrediction {
    int64_t sample = 0, prediction = 0;
    bool right = false;
};

/// With the classes of this data set; −2: it has none of that name.
std::vector<BriefPrediction> briefPredictions(StoreConnection& connection, int64_t run, const RunPlace& place,
                                              const RunPlace& classes)
{
    const std::string renamed = "SELECT a.sample, CASE WHEN a.answer < 0 THEN -1 ELSE coalesce(min(d.label), -2) "
                                "END, a.rank FROM answer a LEFT JOIN class c ON c.data_set = "
                                + std::to_string(place.dataSet)
                                + " AND c.label = a.answer LEFT JOIN class d ON d.data_set = "
                                + std::to_string(classes.dataSet)
                                + " AND d.name = c.name WHERE a.run = ? GROUP BY a.sample ORDER BY a.sample";
    return connection.rows(
        place.hash == classes.hash ? "SELECT sample, answer, rank FROM answer WHERE run = ? ORDER BY sample"
                                   : renamed,
        [](SQLite::Statement& row) {
            return BriefPrediction{row.getColumn(0).getInt64(), row.getColumn(1).getInt64(),
                                   row.getColumn(2).getInt64() == 0};
        },
        run);
}

RunPair comparePredictions(const std::vector<BriefPrediction>& a, const std::vector<BriefPrediction>& b)
{
    RunPair pair;
    for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
        if (left->sample != right->sample) {
            ++(left->sample < right->sample ? left : right);
            continue;
        }
        ++(left->right ? right->right ? pair.bothRight : pair.onlyA : right->right ? pair.onlyB : pair.bothWrong);
        pair.samePrediction += left->prediction == right->prediction ? 1 : 0;
        ++left, ++right;
    }
    pair.mcnemarP = mcnemarExact(pair.onlyA, pair.onlyB);
    pair.difference95 = bootstrapDifference95(pair.onlyA, pair.onlyB, pair.samples());
    return pair;
}

}

FolderLayout layoutOf(StoreConnection& connection, int64_t dataSet)
{
    return readEnum(connection.integer("SELECT layout FROM data_set WHERE id = ?", dataSet).value_or(0),
                    FolderLayout::List, FolderLayout::Auto);
}

std::vector<StoredSample> ResultStore::samples(const SampleQuery& query) const
{
    return m_database->snapshot([&] {
        if (query.reference)
            requireSameData(*m_database, *query.reference, query.run);
        const RunPlace place = placeOf(*m_database, query.run);
        SQLite::Statement rows = m_database->statement(
            "SELECT a.sample, a.label" + fromWhere(query)
            + " ORDER BY a.probability DESC, a.sample LIMIT :count OFFSET :offset");
        bindQuery(rows, query);
        rows.bind(":count", query.count);
        rows.bind(":offset", query.offset);
        std::vector<StoredSample> page;
        while (rows.executeStep()) {
            StoredSample sample{rows.getColumn(0).getInt64(), {}, rows.getColumn(1).getInt64(), {}};
            sample.path = pathOf(*m_database, place, sample.sample);
            if (query.reference)
                sample.predictions.push_back(readPrediction(*m_database, *query.reference, sample.sample));
            sample.predictions.push_back(readPrediction(*m_database, query.run, sample.sample));
            page.push_back(std::move(sample));
        }
        return page;
    });
}

int64_t ResultStore::sampleCount(const SampleQuery& query) const
{
    return m_database->snapshot([&] {
        if (query.reference)
            requireSameData(*m_database, *query.reference, query.run);
        SQLite::Statement rows = m_database->statement("SELECT count(*)" + fromWhere(query));
        bindQuery(rows, query);
        rows.executeStep();
        return rows.getColumn(0).getInt64();
    });
}

void ResultStore::eachPrediction(int64_t run, const std::function<void(const StoredSample&)>& each) const
{
    m_database->snapshot([&] {
        const RunPlace place = placeOf(*m_database, run);
        const std::filesystem::path base = baseFolder(place.root, place.layout);
        SQLite::Statement rows = m_database->statement(
            "SELECT a.rank, a.answer, a.probability, a.rest, a.sample, a.label, f.path FROM answer a JOIN file f "
            "ON "
            "f.data_set = ? AND f.sample = a.sample WHERE a.run = ? ORDER BY a.sample",
            place.dataSet, run);
        while (rows.executeStep())
            each({rows.getColumn(4).getInt64(),
                  openedPath(rows.getColumn(6).getString(), base),
                  rows.getColumn(5).getInt64(),
                  {readPredictionColumns(*m_database, rows, 0)}});
    });
}

void ResultStore::eachLogits(
    int64_t run, const std::function<void(int64_t sample, const std::vector<float>& logits)>& each) const
{
    if (m_database->version() < 5)
        return;
    m_database->guarded([&] {
        SQLite::Statement rows = m_database->statement(
            "SELECT sample, value FROM logits WHERE run = ? ORDER BY sample", run);
        while (rows.executeStep())
            each(rows.getColumn(0).getInt64(), readLogitsColumn(*m_database, rows, 1));
    });
}

RunPair ResultStore::pair(int64_t a, int64_t b) const
{
    const std::vector<RunPair> found = pairs({a, b});
    if (found.empty())
        m_database->snapshot([&] { requireSameData(*m_database, a, b); });
    return found.at(0);
}

std::vector<RunPair> ResultStore::pairs(const std::vector<int64_t>& runs) const
{
    return m_database->snapshot([&] {
        std::vector<RunPlace> places;
        std::vector<std::vector<BriefPrediction>> predictions;
        for (const int64_t run : runs) {
            places.push_back(placeOf(*m_database, run));
            predictions.push_back(briefPredictions(*m_database, run, places.back(), places.front()));
        }
        std::vector<RunPair> all;
        for (size_t a = 0; a < runs.size(); ++a) {
            for (size_t b = a + 1; b < runs.size(); ++b) {
                if (!sameSamples(*m_database, places[a], places[b]))
                    continue;
                all.push_back(comparePredictions(predictions[a], predictions[b]));
                all.back().a = runs[a];
                all.back().b = runs[b];
            }
        }
        std::vector<double> p;
        std::ranges::transform(all, std::back_inserter(p), &RunPair::mcnemarP);
        const std::vector<HolmTest> tests = holm(p);
        for (size_t i = 0; i < all.size(); ++i)
            all[i].holmP = tests[i].adjusted;
        return all;
    });
}

}
