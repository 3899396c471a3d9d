#include "app/cli/input/declare_options.h"

namespace attnscope::cli {

void DeclareOptions::asList(CLI::Option& option, const OptionRule& rule)
{
    option.allow_extra_args(option.get_positional());
    if (!rule.repeats)
        option.delimiter(',');
    if (rule.count > 0)
        option.expected(rule.count);
}

void DeclareOptions::finish(CLI::Option* option, const OptionRule& rule, const std::string& type)
{
    if (!rule.words.empty())
        option->check(CLI::IsMember(rule.words));
    if (!type.empty())
        option->type_name(type);
    option->required(rule.required);
}

}
